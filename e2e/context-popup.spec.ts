import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from './journey.ts';
import { composer, exchanges, keepNotices, openConversation, send } from './workshop.ts';

const TOLD = 'My sister Nora is allergic to peanuts';
const ASKED = 'What is my sister Nora allergic to?';

async function boxOf(thing: Locator) {
  const box = await thing.boundingBox();
  if (box === null) throw new Error(`not on the page: ${thing}`);
  return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height };
}

async function expectClear(page: Page, popup: Locator) {
  const card = await boxOf(popup);
  const log = await boxOf(page.getByRole('log'));
  for (const thing of [exchanges(page).last().locator('[data-answer]'), composer(page)]) {
    const box = await boxOf(thing);
    const seen = { ...box, top: Math.max(box.top, log.top) };
    const covered =
      card.left < seen.right && seen.left < card.right && card.top < seen.bottom && seen.top < card.bottom;
    expect(covered, `the popup ${JSON.stringify(card)} covers ${JSON.stringify(seen)}`).toBe(false);
  }
  return card.bottom - card.top;
}

test('what was recalled is shown in a small card that covers neither the answer nor the composer', {
  tag: '@both',
}, async ({ page }) => {
  await openConversation(page, { prompt: 'You help me plan trips' });
  await keepNotices(page);
  const popup = page.getByRole('region', { name: 'Context Retrieved' });
  for (const text of [TOLD, ASKED, ASKED, ASKED]) {
    const before = await exchanges(page).count();
    await send(page, text);
    await expect(exchanges(page)).toHaveCount(before + 1);
    await expect(exchanges(page).last().getByRole('button', { name: 'Copy answer' })).toBeVisible();
    if (text === TOLD) continue;
    await expect(popup).toBeVisible();
    // It stays while the pointer rests on it.
    await popup.hover();
    const height = await expectClear(page, popup);
    expect(height).toBeLessThanOrEqual((page.viewportSize()?.height ?? 0) / 3);
  }
  await expectAccessible(page);
  await popup.getByRole('button', { name: 'Close context' }).click();
  await expect(popup).toBeHidden();
});
