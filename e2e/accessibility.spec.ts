import type { Page } from '@playwright/test';
import { isNightly } from '../server/src/testing/effort.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, closeByEscape, closeSidebar, createAgent, register, sidebar, startSession } from './workshop.ts';

const PUBLIC = ['/', '/login', '/signup', '/contact', '/terms', '/privacy', '/nowhere'];
const GUARDED = ['/runtime', '/library', '/explore', '/memory', '/usage', '/billing', '/account'];

/** Checks a dialog that was just opened and closes it. */
async function expectDialogAccessible(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await closeByEscape(page, dialog);
}

for (const colorScheme of ['light', 'dark'] as const) {
  // By day light on a desktop and dark on a phone: colours don't depend on the width.
  const details = colorScheme === 'light' || isNightly ? {} : { tag: '@phone-only' };
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('public pages have no finding and do not scroll sideways', details, async ({ page, complaints }) => {
      complaints.expectConsole(/nowhere/u);
      for (const path of PUBLIC) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
    });

    test(
      'pages of the signed-in have no finding, with their dialogs, answers and drawer',
      details,
      async ({ page }) => {
        await register(page);
        for (const path of GUARDED) {
          await page.goto(path);
          await expect(page.getByRole('heading').first()).toBeVisible();
          await expectAccessible(page);
          await expectNoSidewaysScroll(page);
        }
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
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
        await sidebar(page);
        await expectAccessible(page);
      },
    );
  });
}
