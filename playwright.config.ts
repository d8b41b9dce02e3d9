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

/** Every journey is taken at a desk and on a phone; each worker serves its own server, see `e2e/journey.ts`. */
export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // Journeys wait more than they compute: for notices to leave, for undo to pass, for words to come.
  workers: 3,
  forbidOnly: true,
  // On a loaded machine a browser may be late; what passes only now is named in the verdict.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  globalSetup: './e2e/built-pages.ts',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args },
    locale: 'en-GB',
    // What fades in has less contrast on the way; what is measured is what stays.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace of every journey doubles its time; one that failed is run again by hand with --trace on.
    trace: 'off',
  },
  projects: [
    { name: 'desk', use: { viewport: { width: 1280, height: 800 } } },
    // What is marked @desk looks the same on a phone.
    { name: 'phone', grepInvert: /@desk/u, use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  ],
});
