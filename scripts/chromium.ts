import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findInPath, installDebianPackages } from './debian.ts';

export const CHROMIUM_ADVICE =
  'Chromium is missing. Install it with `apt-get install chromium`, or with `npx playwright install chromium`.';

/** The path of a Chromium: a system one, or the one Playwright may have fetched. */
export function findChromium(): string | undefined {
  const system = findInPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (system !== undefined) return system;
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** The same, after an attempt to install it where it is missing. */
export const findOrInstallChromium = () =>
  findChromium() ?? (installDebianPackages('chromium') ? findChromium() : undefined);

const HEADLESS = 'chromium-headless-shell';

/**
 * The path of the Chromium that the journeys run in. Debian builds two from one source: the shell has the same engine and no window
 * around it that nobody sees, which is a quarter of the processor's time. Where only the other is there, it serves as well.
 */
export const findHeadlessChromium = () => findInPath(HEADLESS) ?? findChromium();

/** The same, after an attempt to install it where neither is there. */
export const findOrInstallHeadlessChromium = () =>
  findHeadlessChromium() ?? (installDebianPackages(HEADLESS) ? findHeadlessChromium() : findOrInstallChromium());
