import { defineConfig } from '@playwright/test';
import journeys from '../../playwright.config.ts';
import { needChromium } from '../../scripts/chromium.ts';

/** Pictures of every page; not journeys, so they have projects and servers of their own. */
export default defineConfig({
  ...journeys,
  testDir: '.',
  testMatch: 'shots.ts',
  globalSetup: ['../built-pages.ts', './workshop-data.ts'],
  outputDir: '../../test-results/shots',
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: { ...journeys.use, launchOptions: { executablePath: needChromium(), args: ['--no-sandbox', '--disable-gpu'] } },
  projects: [
    { name: 'finger', use: { hasTouch: true } },
    { name: 'mouse', use: {} },
  ],
});
