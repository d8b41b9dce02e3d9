import { defineConfig } from '@playwright/test';
import { PHONE } from './e2e/phone.ts';
import { CHROMIUM_ADVICE, findChromium, findHeadlessChromium } from './scripts/chromium.ts';
import { isNightly } from './server/src/testing/effort.ts';

const executablePath = findHeadlessChromium();
if (executablePath === undefined) throw new Error(CHROMIUM_ADVICE);
const full = findChromium();

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/**
 * What Playwright turns off in every Chromium, and the address field's list: each new window loads 418 files for it, in two processes, though
 * nobody types there. Chromium takes the last list only. Security journeys keep the browser as it is.
 */
const WITHOUT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

const DESK = { viewport: { width: 1280, height: 800 } };
/** What a browser protects against is judged in the browser that people have, not in its headless shell. */
const SECURITY = /\.security\.spec\.ts$/u;
const security = (name: string, size: typeof DESK) => ({
  name,
  testMatch: SECURITY,
  // Each worker would start the browser and its servers for a journey or two.
  fullyParallel: false,
  use: { ...size, launchOptions: { executablePath: full, args } },
});

/**
 * For their servers see `e2e/journey.ts`. At night every journey runs on a desktop and on a phone, but for those tagged @desk or
 * @phone-only. By day each runs on a desktop, or where its tag begins with @phone, because its subject is the layout or touch there, on a
 * phone (`e2e/phone.ts`); those tagged @night don't run.
 */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // Journeys mostly wait: for notices, for undo to expire, for words to arrive.
  workers: 3,
  forbidOnly: true,
  // Time-outs only end what hangs: no journey may depend on the machine's speed.
  timeout: process.env.TEST_LAG === undefined ? 300_000 : 900_000,
  expect: { timeout: 120_000 },
  // Pictures are compared with those of the same run.
  snapshotPathTemplate: 'test-results/seen/{projectName}-{testName}-{arg}{ext}',
  globalSetup: './e2e/built-pages.ts',
  use: {
    browserName: 'chromium',
    // The page speaks English whatever the browser's language is: no date or number may follow it.
    locale: 'th-TH-u-ca-buddhist',
    // Full Chromium runs in its new headless mode, the only one that it still has. No page lives long enough for its scripts to be optimized.
    launchOptions: {
      executablePath,
      args: [...args, `--disable-features=${WITHOUT.join()}`, '--js-flags=--no-opt --no-maglev'],
    },
    // A fading element has less contrast; measure its final state.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Tracing every journey doubles its time; run a failed one again by hand with --trace on.
    trace: 'off',
  },
  projects: [
    // First, because they wait longest, and others can run meanwhile.
    ...(full === undefined
      ? []
      : [security('security', DESK), ...(isNightly ? [security('security-phone', PHONE)] : [])]),
    { name: 'desk', testIgnore: SECURITY, grepInvert: isNightly ? /@phone-only/u : /@night/u, use: DESK },
    ...(isNightly ? [{ name: 'phone', testIgnore: SECURITY, grepInvert: /@desk/u, use: PHONE }] : []),
  ],
});
