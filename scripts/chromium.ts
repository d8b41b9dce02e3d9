import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findInPath, installDebianPackages } from './debian.ts';

export const CHROMIUM_ADVICE =
  'Chromium is missing. Install it with `apt-get install chromium`, or with `npx playwright install chromium`.';

/** The path of a Chromium: the system's, or one that Playwright downloaded. */
export function findChromium(): string | undefined {
  const system = findInPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (system !== undefined) return system;
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** The same, after trying to install it if it is missing. */
export const findOrInstallChromium = () =>
  findChromium() ?? (installDebianPackages('chromium') ? findChromium() : undefined);

const HEADLESS = 'chromium-headless-shell';

/**
 * The path of the Chromium for journeys. Debian builds two from one source: the shell has the same engine without a window, which saves a
 * quarter of the processor's time. Either works.
 */
export const findHeadlessChromium = () => findInPath(HEADLESS) ?? findChromium();

/** The same, after trying to install one if both are missing. */
export const findOrInstallHeadlessChromium = () =>
  findHeadlessChromium() ?? (installDebianPackages(HEADLESS) ? findHeadlessChromium() : findOrInstallChromium());
