import type { Locator, Page, Route } from '@playwright/test';
import { expect, expectAccessible, test } from './journey.ts';
import { ON_BOTH } from './phone.ts';
import { ask, conversation, exchanges, keepNotices, openConversation } from './workshop.ts';

const TOLD = 'My sister Nora is allergic to peanuts';
const ASKED = 'What is my sister Nora allergic to?';

/** Where the popup is, if it covers no control and nothing of the last answer. */
async function clearPlace(page: Page, popup: Locator) {
  const card = await popup.boundingBox();
  if (card === null) throw new Error('no popup');
  const { x, y, width, height } = card;
  const others = page.locator('main, header').locator('button, a, textarea, [data-answer]');
  const covered = await others.evaluateAll(
    (things, box) =>
      things
        .filter((thing) => !thing.closest('section[aria-label="Context Retrieved"]'))
        .map((thing) => {
          const { left, right, top, bottom } = thing.getBoundingClientRect();
          // What is scrolled away is not on the screen.
          const end = thing.closest('[role="log"]')?.getBoundingClientRect().bottom ?? bottom;
          const isCovered =
            left < box.x + box.width && box.x < right && top < box.y + box.height && box.y < Math.min(bottom, end);
          return isCovered ? thing.outerHTML.slice(0, 120) : '';
        })
        .filter((name) => name !== ''),
    card,
  );
  expect(covered).toEqual([]);
  return { right: x + width, bottom: y + height };
}

for (const [where, tag] of ON_BOTH)
  test(`what was recalled is shown in one corner, covers no control, and goes with its branch${where}`, {
    tag,
  }, async ({ page }) => {
    await openConversation(page, { prompt: 'You help me plan trips' });
    await keepNotices(page);
    const popup = page.getByRole('region', { name: 'Context Retrieved' });
    const places: unknown[] = [];
    // The first answers are there before the page hears that the server has the message.
    const late = async (route: Route) => {
      const response = await route.fetch();
      const { task } = await response.json();
      const exchange = conversation(page).locator(`[data-task="${task.id}"]`);
      await expect(exchange.getByRole('button', { name: 'Copy answer' })).toBeVisible();
      await route.fulfill({ response });
    };
    await page.route(/\/tasks$/u, late, { times: 2 });
    for (const text of [TOLD, ASKED, ASKED, ASKED]) {
      await ask(page, text);
      if (text === TOLD) continue;
      await expect(popup).toContainText(TOLD);
      // It stays while the pointer rests on it.
      await popup.hover();
      places.push(await clearPlace(page, popup));
    }
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1);
    await expectAccessible(page);
    await popup.getByRole('button', { name: 'Close context' }).click();
    await expect(popup).toBeHidden();

    const last = exchanges(page).last();
    await last.getByRole('button', { name: 'Regenerate answer' }).click();
    await expect(last).toContainText('2 of 2');
    await popup.hover();
    await last.getByRole('button', { name: 'Previous version' }).press('Enter');
    await expect(last).toContainText('1 of 2');
    await expect(popup).toBeHidden();
  });
