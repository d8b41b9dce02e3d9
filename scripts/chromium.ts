import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findInPath, installDebianPackages } from './debian.ts';

export const CHROMIUM_ADVICE =
  'Chromium is missing. Install it with `apt-get install chromium`, or with `npx playwright install chromium`.';

/** The path of a Chromium for the browser journeys: a system one, or the one Playwright may have fetched. */
export function findChromium(): string | undefined {
  const system = findInPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (system !== undefined) return system;
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** The same, after an attempt to install it where it is missing. */
export const findOrInstallChromium = () =>
  findChromium() ?? (installDebianPackages('chromium') ? findChromium() : undefined);
