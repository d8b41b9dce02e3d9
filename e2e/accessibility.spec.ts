import type { Page } from '@playwright/test';
import { effort, isNightly } from '../server/src/testing/effort.ts';
import { expect, expectAccessible, expectFineOnPhone, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, closeByEscape, closeSidebar, createAgent, register, sidebar, startSession } from './workshop.ts';

const PUBLIC = ['/', '/login', '/signup', '/contact', '/terms', '/privacy', '/nowhere'];
const GUARDED = ['/runtime', '/library', '/explore', '/memory', '/usage', '/billing'];

/** Checks the page as it is; by day also in dark on a phone, without loading it again. At night each scheme and size has journeys of its own. */
async function expectFine(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  if (!isNightly) await expectFineOnPhone(page);
}

/** Checks a dialog that was just opened and closes it. */
async function expectDialogAccessible(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expectFine(page);
  await closeByEscape(page, dialog);
}

for (const colorScheme of effort(['light'] as const, ['light', 'dark'] as const)) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('public pages have no finding and do not scroll sideways', async ({ page, complaints }) => {
      complaints.expectConsole(/nowhere/u);
      for (const path of PUBLIC) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await expectFine(page);
      }
      // Where motion is reduced, text has the colours of another scheme at once, and axe doesn't mix both.
      const inks = await page.evaluate(`['light', 'dark'].map((scheme) => {
        document.documentElement.dataset.theme = scheme;
        return getComputedStyle(document.querySelector('h1')).color;
      })`);
      expect(new Set(inks as string[]).size).toBe(2);
    });

    test('pages of the signed-in have no finding, with their dialogs, answers and drawer', async ({ page }) => {
      await register(page);
      for (const path of [...GUARDED, '/account']) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await expectFine(page);
      }
      // On a phone links lead to the sections of the account's page.
      const size = page.viewportSize() ?? { width: 1280, height: 800 };
      await page.setViewportSize({ width: 390, height: 844 });
      const sections = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
      await expect(sections).toHaveCount(9);
      for (const link of await sections.all()) {
        await link.click();
        await expect(page.getByRole('heading', { name: await link.innerText(), exact: true })).toBeInViewport();
      }
      await page.setViewportSize(size);
      await page.goto('/runtime');
      await page.getByRole('button', { name: 'Create Agent' }).first().click();
      await expectDialogAccessible(page, 'Create Agent');
      await createAgent(page, 'Field Notes', 'You help me plan trips');
      await (await sidebar(page)).getByRole('button', { name: 'New session' }).click();
      await expectDialogAccessible(page, 'New session');
      await closeSidebar(page);
      await startSession(page, 'Field Notes');
      await ask(page, 'My sister is allergic to peanuts');
      await ask(page, 'What is my sister allergic to?');
      await expectFine(page);
      await page.setViewportSize({ width: 390, height: 844 });
      const drawer = await sidebar(page);
      await expectAccessible(page);
      // It keeps the focus until Escape gives it back.
      await expect(drawer.getByRole('button', { name: 'Search' })).toBeFocused();
      const first = drawer.getByRole('link').first();
      await page.keyboard.press('Shift+Tab');
      await expect(first).toBeFocused();
      await page.keyboard.press('Shift+Tab');
      await expect(drawer.getByRole('button', { name: 'Sign Out' })).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(first).toBeFocused();
      await closeByEscape(page, drawer);
      await expect(page.getByRole('button', { name: 'Open sidebar' })).toBeFocused();
    });
  });
}
