import { defineConfig } from '@playwright/test';
import { CHROMIUM_ADVICE, findHeadlessChromium } from './scripts/chromium.ts';

const executablePath = findHeadlessChromium();
if (executablePath === undefined) throw new Error(CHROMIUM_ADVICE);

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Every journey runs on a desktop and on a phone; each worker serves its own server, see `e2e/journey.ts`. */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // Journeys mostly wait: for notices, for undo to expire, for words to arrive.
  workers: 3,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  globalSetup: './e2e/built-pages.ts',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args },
    locale: 'en-GB',
    // A fading element has less contrast; measure its final state.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Tracing every journey doubles its time; run a failed one again by hand with --trace on.
    trace: 'off',
  },
  projects: [
    { name: 'desk', use: { viewport: { width: 1280, height: 800 } } },
    // A journey marked @desk looks the same on a phone.
    { name: 'phone', grepInvert: /@desk/u, use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  ],
});
