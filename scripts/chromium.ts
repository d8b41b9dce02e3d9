import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { chromium } from '@playwright/test';
import { findInPath, installDebianPackages } from './debian.ts';

export const CHROMIUM_ADVICE =
  'Chromium is missing. Install it with `apt-get install chromium`, or with `npx playwright install chromium`.';
export const FULL_CHROMIUM_ADVICE =
  'The security journeys were skipped: they need the full Chromium, and only its headless shell is here. Install it with `apt-get install chromium`.';

const SHELL = 'chromium-headless-shell';

/** `CHROMIUM=/path` chooses the browser for tests. */
const chosen = () => (process.env.CHROMIUM === '' ? undefined : process.env.CHROMIUM);
const isShell = (path: string) => basename(path).includes('headless');

/** The path of a full Chromium: the chosen one, the system's, or one that Playwright downloaded. */
export function findChromium(): string | undefined {
  const own = chosen();
  if (own !== undefined && !isShell(own)) return own;
  const system = findInPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (system !== undefined) return system;
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** The same, after trying to install it if it is missing; throws what to do where neither works. */
export function needChromium(): string {
  const found = findChromium() ?? (installDebianPackages('chromium') ? findChromium() : undefined);
  if (found === undefined) throw new Error(CHROMIUM_ADVICE);
  return found;
}

/**
 * The path of the Chromium for journeys. Debian builds two from one source: the shell has the same engine without a window, which saves a
 * quarter of the processor's time. Either works.
 */
export const findHeadlessChromium = () => chosen() ?? findInPath(SHELL) ?? findChromium();

/** The same, after trying to install both if they are missing: the shell is quicker, and security journeys need the full one. */
export function findOrInstallHeadlessChromium(): string | undefined {
  if (chosen() === undefined) {
    if (findInPath(SHELL) === undefined) installDebianPackages(SHELL);
    if (findChromium() === undefined) installDebianPackages('chromium');
  }
  return findHeadlessChromium();
}
