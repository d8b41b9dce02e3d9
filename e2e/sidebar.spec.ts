import type { Locator, Page } from '@playwright/test';
import { effort } from '../server/src/testing/effort.ts';
import { expect, test } from './journey.ts';
import { ON_BOTH } from './phone.ts';
import { createAgent, originOf, register, sidebar } from './workshop.ts';

const HEIGHTS = {
  desk: [
    { width: 1280, height: 600 },
    { width: 1280, height: 720, rows: 8 },
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
  ],
  phone: [
    { width: 320, height: 568, rows: 4 },
    { width: 390, height: 844, rows: 9 },
  ],
} satisfies Record<string, { width: number; height: number; rows?: number }[]>;

async function openSessions(page: Page, count: number) {
  // An open page would fetch its list again for each of them.
  await page.goto('about:blank');
  const origin = await originOf(page);
  for (let i = 0; i < count; i += 1) {
    const data = { agentId: 'field-notes', name: `What Nora may eat at the party, part ${i}` };
    const answer = await page.request.post(`${origin}/api/sessions`, { headers: { origin }, data });
    expect(answer.status()).toBe(201);
  }
}

const box = async (thing: Locator) => {
  const found = await thing.boundingBox();
  if (found === null) throw new Error(`not on the page: ${thing}`);
  return { ...found, bottom: found.y + found.height };
};

/** A long list renders what is near, and its last row once that gets the focus. */
async function expectRowsOnlyWhereNeeded(page: Page, count: number) {
  const links = (await sidebar(page)).getByRole('group', { name: 'Session list' }).getByRole('link');
  await links.first().focus();
  expect(await links.count()).toBeLessThan(count);
  await page.keyboard.press('End');
  await expect(links.last()).toHaveText('What Nora may eat at the party, part 0');
  await expect(links.last()).toBeFocused();
  await page.keyboard.press('Home');
  await expect(links.first()).toBeFocused();
}

test('everything in the sidebar has its place, however many sessions and however low the window', {
  tag: '@phone',
}, async ({ page, server, hasTouch }) => {
  const ada = await register(page);
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');
  await createAgent(page, 'Field Notes', 'You help me plan trips');
  let opened = 0;
  for (const count of effort([0, 30], [0, 3, 14, 100])) {
    await openSessions(page, count - opened);
    opened = count;
    await page.setViewportSize({ width: hasTouch ? 320 : 1280, height: 568 });
    await page.goto('/runtime');
    if (count >= 30) await expectRowsOnlyWhereNeeded(page, count);
    for (const { rows, ...size } of hasTouch ? HEIGHTS.phone : HEIGHTS.desk) {
      await page.setViewportSize(size);
      const side = await sidebar(page);
      const sessions = side.getByRole('navigation', { name: 'Sessions' });
      const list = sessions.getByRole('group', { name: 'Session list' });
      if (count > 0) await expect(sessions.getByRole('listitem').first()).toBeVisible();
      const inOrder = [
        side.getByRole('button', { name: 'Search' }),
        sessions.getByRole('button', { name: 'New session' }),
        ...(count > 0 ? [list] : []),
        side.getByRole('link', { name: 'Runtime' }),
        side.getByRole('link', { name: 'Billing Settings' }),
        side.getByRole('link', { name: 'Privacy' }),
        side.getByText('Logged in as'),
      ];
      let above = 0;
      for (const thing of inOrder) {
        const { x, y, width, bottom } = await box(thing);
        const where = `${count} sessions at ${size.width} × ${size.height}: ${thing}`;
        expect(y, where).toBeGreaterThanOrEqual(above);
        expect(bottom, where).toBeLessThanOrEqual(size.height);
        expect(x, where).toBeGreaterThanOrEqual(0);
        expect(x + width, where).toBeLessThanOrEqual(size.width);
        above = bottom;
      }
      if (count > 0) expect((await box(list)).height).toBeLessThanOrEqual(size.height / 2);
      // The list scrolls by itself, with as many rows as there is room for.
      if (count >= 3) expect((await box(list)).height).toBeGreaterThan(80);
      if (count >= 30 && rows) await expect(list.getByRole('listitem').nth(rows - 1)).toBeInViewport({ ratio: 1 });
      const name = await box(side.getByText('Logged in as'));
      const leave = await box(side.getByRole('button', { name: 'Sign Out' }));
      expect(leave.x, 'Sign Out is beside the name').toBeGreaterThanOrEqual(name.x + name.width);
      expect(leave.y).toBeLessThan(name.bottom);
      expect(leave.x + leave.width).toBeLessThanOrEqual(size.width);
    }
  }

  // A tablet is turned under the open drawer: the page has the keys, and turned back the drawer stays closed.
  await page.setViewportSize({ width: 820, height: 1180 });
  await sidebar(page);
  await page.setViewportSize({ width: 1180, height: 820 });
  const side = page.getByRole('complementary', { name: 'Sidebar' });
  const search = side.getByRole('button', { name: 'Search' });
  await search.focus();
  await expect(search).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(side.getByRole('button', { name: 'Options of the session list' })).toBeFocused();
  await page.setViewportSize({ width: 820, height: 1180 });
  await expect(page.getByRole('button', { name: 'Open sidebar' })).toBeVisible();
});

for (const [where, tag] of ON_BOTH)
  test(`a name has the whole row until its buttons are asked for${where}`, { tag }, async ({ page, hasTouch }) => {
    await register(page);
    await createAgent(page, 'Field Notes', 'You help me plan trips');
    await openSessions(page, 1);
    await page.goto('/runtime');
    const row = (await sidebar(page)).getByRole('navigation', { name: 'Sessions' }).getByRole('listitem');
    const name = row.getByText('What Nora may eat at the party, part 0');
    const more = row.getByRole('button', { name: /^More/u });
    const [line, whole] = [await box(name), await box(row)];
    if (hasTouch) {
      // A finger can't come near, so the buttons stay, and the name takes two lines.
      await expect(more).toHaveCSS('opacity', '1');
      expect((await box(more)).x).toBeGreaterThanOrEqual(line.x + line.width);
      expect(line.height).toBeGreaterThan(30);
    } else {
      expect(line.x + line.width).toBeGreaterThan(whole.x + whole.width - 16);
      await row.hover();
    }
    await more.click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await row.getByRole('textbox', { name: 'Session name' }).fill('Nora');
    await page.keyboard.press('Enter');
    await expect(row.getByRole('link', { name: 'Nora' })).toBeFocused();
  });
