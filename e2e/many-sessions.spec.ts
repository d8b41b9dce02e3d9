import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import {
  ask,
  chooseForSession,
  closeByEscape,
  closeSidebar,
  createAgent,
  keepNotices,
  originOf,
  register,
  sidebar,
  tabTo,
} from './workshop.ts';

/** A Pro user with sessions of these names, the last one newest, and the workspace open. */
async function withSessions(page: Page, admin: (...words: string[]) => Promise<unknown>, names: string[]) {
  const ada = await register(page);
  await admin('grant-pro', ada.email, '--reason', 'a journey');
  await createAgent(page, 'Field Notes', 'You help me plan trips');
  await createAgent(page, 'Cook', 'You cook');
  for (const name of names) await openSession(page, name);
  await page.goto('/runtime');
}

async function openSession(page: Page, name: string, agentId = 'field-notes') {
  const origin = await originOf(page);
  const data = { agentId, name };
  const answer = await page.request.post(`${origin}/api/sessions`, { headers: { origin }, data });
  expect(answer.status()).toBe(201);
}

const listOf = async (page: Page) => (await sidebar(page)).getByRole('navigation', { name: 'Sessions' });
const link = (list: Locator, name: string) => list.getByRole('link', { name });
const focused = (page: Page) => page.locator(':focus');

test('sessions are pinned, filed, archived and found again by their menus', { tag: '@phone' }, async ({
  page,
  server,
}) => {
  await withSessions(page, server.admin, ['Norway', 'Sweden', 'Lapland']);
  const list = await listOf(page);
  const pinned = () => page.waitForResponse((answer) => answer.request().postDataJSON()?.pinned === true);
  const first = pinned();
  await chooseForSession(page, list, 'Norway', 'Pin');
  await expect(list.getByRole('list', { name: 'Pinned' }).getByRole('link', { name: 'Norway' })).toBeVisible();
  await first;
  // A change waits for the one before it, however long that takes, and no fetch brings back the state before.
  const held = Promise.withResolvers<void>();
  let changes = 0;
  await page.route('**/api/sessions', async (route) => {
    if (route.request().method() === 'PATCH') changes += 1;
    if (changes === 1) await held.promise;
    await route.continue();
  });
  await chooseForSession(page, list, 'Norway', 'Unpin');
  await expect(list.getByRole('list', { name: 'Pinned' })).toBeHidden();
  const second = pinned();
  await chooseForSession(page, list, 'Norway', 'Pin');
  await expect(list.getByRole('list', { name: 'Pinned' }).getByRole('link', { name: 'Norway' })).toBeVisible();
  expect(changes).toBe(1);
  held.resolve();
  await (await second).finished();
  await page.unroute('**/api/sessions');
  await expect(list.getByRole('list', { name: 'Today' }).getByRole('link')).toHaveCount(2);

  await chooseForSession(page, list, 'Sweden', 'Share…');
  const share = page.getByRole('dialog', { name: 'Share this session' });
  await expect(share.getByRole('button', { name: 'Create link' })).toBeVisible();
  await closeByEscape(page, share);
  await chooseForSession(page, list, 'Sweden', 'Move to folder…');
  const dialog = page.getByRole('dialog', { name: 'Move to folder' });
  await dialog.getByLabel('Folder name').fill('Trips');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create folder' }).click();
  await expect(list.getByRole('button', { name: 'Trips 1 session' })).toBeVisible();
  await expect(link(list, 'Sweden')).toBeHidden();
  await list.getByRole('button', { name: 'Trips 1 session' }).click();
  await expect(link(list, 'Sweden')).toBeVisible();
  await expect(link(list, 'Norway')).toBeHidden();
  await expectNoSidewaysScroll(page);
  await list.getByRole('button', { name: 'More for folder Trips' }).click();
  await page.getByRole('menuitem', { name: 'Rename folder…' }).click();
  await page.getByLabel('Folder name').fill('Journeys');
  await page.getByRole('dialog', { name: 'Rename folder' }).getByRole('button', { name: 'Rename' }).click();
  await expect(list.getByText('Journeys')).toBeVisible();
  await list.getByRole('button', { name: 'More for folder Journeys' }).click();
  await page.getByRole('menuitem', { name: 'Delete folder, keep its sessions' }).click();
  await expect(link(list, 'Sweden')).toBeVisible();
  await expect(link(list, 'Norway')).toBeVisible();

  await chooseForSession(page, list, 'Lapland', 'Archive');
  await expect(link(list, 'Lapland')).toBeHidden();
  await list.getByRole('button', { name: 'Options of the session list' }).click();
  await page.getByRole('menuitem', { name: 'Archived sessions' }).click();
  await expect(link(list, 'Lapland')).toBeVisible();
  await expectAccessible(page);
  await chooseForSession(page, list, 'Lapland', 'Unarchive');
  await expect(list.getByText('Nothing is archived.')).toBeVisible();
  await list.getByRole('button', { name: 'Back to all sessions' }).click();
  await expect(link(list, 'Lapland')).toBeVisible();

  await openSession(page, 'Soup', 'cook');
  await expect(link(list, 'Soup')).toBeVisible();
  await list.getByRole('button', { name: 'Options of the session list' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Cook' }).click();
  await expect(list.getByRole('link')).toHaveText(['Soup']);
});

test('several are selected, renamed, archived and deleted at once, and come back', async ({ page, server }) => {
  await withSessions(page, server.admin, ['One', 'Two', 'Three', 'Four']);
  const list = await listOf(page);
  const open = await link(list, 'One').getAttribute('href');
  // The open session is in the list before its page of the list is.
  const firstPage = '**/api/sessions?limit=100*';
  await page.route(firstPage, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', 'limit=2') }),
  );
  await page.goto(open ?? '');
  await listOf(page);
  await expect(list.getByRole('link')).toHaveText(['Four', 'Three', 'One']);
  await expect(link(list, 'One')).toHaveAttribute('aria-current', 'page');
  await list.getByRole('button', { name: 'Show older sessions' }).click();
  await expect(list.getByRole('link')).toHaveText(['Four', 'Three', 'Two', 'One']);
  await page.unroute(firstPage);
  await list.getByRole('button', { name: 'Options of the session list' }).click();
  await page.getByRole('menuitem', { name: 'Select sessions' }).click();
  await list.getByRole('checkbox', { name: 'Select Four' }).check();
  await link(list, 'Two').click({ modifiers: ['Shift'] });
  await expect(list.getByText('3 selected')).toBeVisible();
  await expectAccessible(page);
  await list.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename 3 sessions' });
  await dialog.getByLabel('Session name').fill('Norway');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(list.getByRole('link', { name: /^Norway \d/u })).toHaveCount(3);
  await list.getByRole('button', { name: 'Actions' }).click();
  await keepNotices(page);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(list.getByRole('link')).toHaveText(['One']);
  await closeSidebar(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect((await listOf(page)).getByRole('link', { name: /^Norway \d/u })).toHaveCount(3);
});

test('@desk a session is dragged into a folder and seen in another window at once', async ({
  page,
  server,
  context,
}) => {
  await withSessions(page, server.admin, ['Norway', 'Sweden']);
  const list = await listOf(page);
  await list.getByRole('button', { name: 'Options of the session list' }).click();
  await page.getByRole('menuitem', { name: 'New folder…' }).click();
  await page.getByLabel('Folder name').fill('Trips');
  await page.getByRole('button', { name: 'Create folder' }).click();
  const other = await context.newPage();
  await other.goto('/runtime');
  const there = await listOf(other);
  await expect(there.getByRole('button', { name: 'Trips 0 sessions' })).toBeVisible();
  await keepNotices(page);
  await link(list, 'Norway').dragTo(list.getByRole('button', { name: /^Trips/u }));
  await expect(list.getByRole('button', { name: 'Trips 1 session' })).toBeVisible();
  await expect(there.getByRole('button', { name: 'Trips 1 session' })).toBeVisible();
  await expect(link(there, 'Norway')).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(link(there, 'Norway')).toBeVisible();
});

test('@desk the list by keyboard alone', { tag: '@night' }, async ({ page, server }) => {
  await withSessions(page, server.admin, ['One', 'Two', 'Three', 'Four']);
  const list = await listOf(page);
  await tabTo(page, link(list, 'Four'));
  await page.keyboard.press('ArrowDown');
  await expect(link(list, 'Three')).toBeFocused();
  await page.keyboard.press('F2');
  await expect(list.getByRole('textbox', { name: 'Session name' })).toBeFocused();
  await page.keyboard.type('Third');
  await page.keyboard.press('Enter');
  await expect(link(list, 'Third')).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(list.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list.getByText('2 selected')).toBeHidden();
  await expect(link(list, 'Two')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(link(list, 'Two')).toBeHidden();
  await expect(link(list, 'One')).toBeFocused();

  // One tab stop; letters and arrows go on from there, also to the buttons of a row.
  await page.keyboard.press('ArrowUp');
  await expect(link(list, 'Third')).toBeFocused();
  await page.keyboard.press('o');
  await expect(link(list, 'One')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect((await sidebar(page)).getByRole('link', { name: 'Runtime' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Pin' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list.getByRole('button', { name: 'More for session One' })).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(list.getByRole('button', { name: 'More for session Four' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Pin' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(list.getByRole('button', { name: 'More for session Four' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Pin' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list.getByRole('list', { name: 'Pinned' }).getByRole('link', { name: 'Four' })).toBeVisible();

  // Beside other pages too; from there, the runtime's link leads back to the last session.
  const side = await sidebar(page);
  await link(list, 'One').click();
  await expect(page.getByRole('heading', { name: 'Session with: Field Notes' })).toBeVisible();
  await side.getByRole('link', { name: 'My Library' }).click();
  await expect(page.getByRole('heading', { name: 'My Library' })).toBeVisible();
  await chooseForSession(page, list, 'One', 'Move to folder…');
  await closeByEscape(page, page.getByRole('dialog', { name: 'Move to folder' }));
  await side.getByRole('link', { name: 'Runtime' }).click();
  await expect(page).toHaveURL(/sessionId=/u);
  await expect(link(list, 'One')).toHaveAttribute('aria-current', 'page');
  await side.getByRole('link', { name: 'Billing Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Billing & Plans' })).toBeVisible();
  await expect(side.getByRole('link', { name: 'Runtime' })).toHaveAttribute('href', /sessionId=/u);
  await chooseForSession(page, list, 'One', 'Delete');
  await expect(side.getByRole('link', { name: 'Runtime' })).toHaveAttribute('href', '/runtime');
  await list.getByRole('button', { name: 'New session' }).click();
  await expect(page.getByRole('dialog', { name: 'New session' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the palette does what menus do', { tag: '@night' }, async ({ page, server }) => {
  await withSessions(page, server.admin, ['Norway', 'Sweden']);
  await link(await listOf(page), 'Norway').click();
  await expect(page.getByRole('heading', { name: 'Session with: Field Notes' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const run = async (typed: string, line: string) => {
    await page.keyboard.press('Control+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(typed);
    await expect(palette.getByRole('option', { name: line, exact: true })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('option').first()).toHaveText(/^Sweden.*\d · Field Notes/u);
  await expect(palette.getByRole('option', { name: 'New session with Cook' })).toBeVisible();
  await expect(palette.getByRole('option', { name: 'Pin', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const dark = page.locator('html');
  const before = await dark.getAttribute('data-theme');
  await run('toggle', 'Toggle theme');
  await expect(dark).not.toHaveAttribute('data-theme', before ?? '');
  await run('rename', 'Rename… F2');
  await expect(page.getByLabel('Session name')).toBeFocused();
  await page.keyboard.type('Fjords');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Rename session' })).toBeHidden();
  const file = page.waitForEvent('download');
  await run('markdown', 'Export as Markdown');
  expect((await file).suggestedFilename()).toBe('Fjords.md');
  await run('share', 'Share…');
  await closeByEscape(page, page.getByRole('dialog', { name: 'Share this session' }));
  await ask(page, 'Where are the fjords?');
  await run('share answer', 'Share answer…');
  await closeByEscape(page, page.getByRole('dialog', { name: 'Share this answer' }));
  await run('edit message', 'Edit message');
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused();
  await page.keyboard.press('Escape');
  await run('delete exchange', 'Delete exchange');
  await expect(page.getByText('Exchange deleted.')).toBeVisible();
  await run('select sessions', 'Select sessions');
  await expect((await sidebar(page)).getByText('0 selected')).toBeVisible();
  await (await sidebar(page)).getByRole('button', { name: 'Done' }).click();
  await closeSidebar(page);
  await run('new session cook', 'New session with Cook');
  await expect(page.getByRole('button', { name: 'Agent: Cook' })).toBeVisible();
  await run('switch field', 'Switch to agent Field Notes');
  await expect(page.getByRole('heading', { name: 'Session with: Field Notes' })).toBeVisible();
  // It makes another agent, whichever is open.
  await run('create agent', 'Create agent');
  const create = page.getByRole('dialog', { name: 'Create Agent' });
  await expect(create.getByLabel('Prompt')).toHaveValue('');
  await closeByEscape(page, create);
  await run('archive', 'Archive');
  await expect(page.getByText('archived.')).toBeVisible();
  await run('library', 'My Library');
  await expect(page).toHaveURL(/\/library$/u);
  await run('create agent', 'Create agent');
  await expect(page.getByRole('dialog', { name: 'Create Agent' })).toBeVisible();
  await expect(focused(page)).not.toHaveCount(0);
});
