import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import {
  ask,
  chooseAgent,
  chooseForSession,
  closeSidebar,
  closeToast,
  composer,
  createAgent,
  createAgentByHand,
  exchanges,
  keepNotices,
  openConversation,
  register,
  send,
  sidebar,
  signUp,
  signUpByHand,
  startSession,
} from './workshop.ts';

test('an agent is created, edited and deleted', async ({ page, complaints }) => {
  complaints.expectConsole(/status of 409/u);
  await signUpByHand(page);
  await createAgentByHand(page, 'Field Notes', 'You help me plan trips');
  await expect(page).toHaveURL(/agent=field-notes$/u);
  await expect(composer(page)).toBeFocused();

  await page.getByRole('button', { name: 'Create Agent' }).first().click();
  const create = page.getByRole('dialog', { name: 'Create Agent' });
  await expect(create.getByLabel('Name')).toHaveValue('');
  await create.getByRole('button', { name: 'Create Agent' }).click();
  await expect(create.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await create.getByLabel('Name').fill('field   notes');
  await create.getByLabel('Prompt').fill('Another one');
  await create.getByRole('button', { name: 'Create Agent' }).click();
  await expect(create.getByText('You already have an agent with this name. Choose another name.')).toBeVisible();
  await expect(create.getByLabel('Prompt')).toHaveValue('Another one');
  await create.getByRole('button', { name: 'Cancel' }).click();

  await startSession(page, 'Field Notes');
  await ask(page, 'Where to?');
  await expect(page.getByRole('button', { name: 'Edit message' })).toBeVisible();
  await keepNotices(page);
  await page.getByRole('button', { name: 'Model: gpt-4' }).press('Enter');
  await expect(page.getByRole('menuitemcheckbox', { name: 'gpt-4' })).toBeChecked();
  await expectAccessible(page);
  await expect(page.getByRole('menuitemcheckbox', { name: 'gpt-3.5-turbo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Agent updated! The next answer comes from gpt-3.5-turbo.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Model: gpt-3.5-turbo' })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Model: gpt-4' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Agent' });
  await edit.getByLabel('Prompt').fill('You help me plan journeys by train');
  await edit.getByLabel('Tags').fill(' Travel, , TRAINS ');
  await edit.getByRole('button', { name: 'Save Agent' }).click();
  await expect(page.getByText('Agent updated!', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  await expect(edit.getByLabel('Tags')).toHaveValue('travel, trains');

  await edit.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete agent' }).click();
  await expect(edit).toBeHidden();
  await expect(page.getByText('The agent of this session was deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit message' })).toBeHidden();
  await expect(composer(page)).toBeHidden();
  await expect((await sidebar(page)).getByText('agent deleted')).toBeVisible();
});

test('a session starts through the dialog, is renamed, deleted and brought back', { tag: '@phone-only' }, async ({
  page,
}) => {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await signUp(page);
  const side = await sidebar(page);
  await side.getByRole('button', { name: 'New session' }).click();
  await expect(page.getByText('You must create at least one agent before starting a session.').first()).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByRole('button', { name: 'Create Agent' }).click();
  const create = page.getByRole('dialog', { name: 'Create Agent' });
  await create.getByLabel('Name').fill('Field Notes');
  await create.getByLabel('Prompt').fill('You help me plan trips');
  await create.getByRole('button', { name: 'Create Agent' }).click();
  await expect(composer(page)).toBeFocused();
  await expect(page.getByRole('heading', { name: 'No session selected' })).toBeVisible();
  await expect(page.getByText('0/3 sessions used')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await chooseAgent(page, 'Field Notes');
  await send(page, 'Which museums in Bergen are worth a rainy afternoon?');
  await expect(exchanges(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Session with: Field Notes' })).toBeVisible();

  const list = (await sidebar(page)).getByRole('navigation', { name: 'Sessions' });
  await expect(list.getByRole('link', { name: /museum|Bergen/iu })).toBeVisible();
  await chooseForSession(page, list, /^More for session/u, 'Rename…');
  await list.getByRole('textbox', { name: 'Session name' }).fill('   ');
  await list.getByRole('textbox', { name: 'Session name' }).press('Enter');
  await expect(list.getByRole('link', { name: /museum|Bergen/iu })).toBeVisible();
  await chooseForSession(page, list, /^More for session/u, 'Rename…');
  await list.getByRole('textbox', { name: 'Session name' }).fill('Summer in Norway');
  await list.getByRole('button', { name: 'Save name' }).click();
  await expect(list.getByRole('link', { name: 'Summer in Norway' })).toBeVisible();

  await closeSidebar(page);
  await expect(page).toHaveTitle('Summer in Norway · Atelier');
  await page.getByRole('button', { name: 'Summer in Norway: rename this session' }).click();
  await page.getByRole('textbox', { name: 'Session name' }).fill('Winter in Norway');
  await page.getByRole('textbox', { name: 'Session name' }).press('Enter');
  await expect(page).toHaveTitle('Winter in Norway · Atelier');
  await page.setViewportSize({ width: 320, height: 568 });
  await expect(page.getByRole('button', { name: 'Winter in Norway: rename this session' })).toBeInViewport({
    ratio: 1,
  });
  const heading = page.getByRole('heading', { name: 'Session with: Field Notes' });
  // Less than a line of it is cut.
  await expect.poll(() => heading.evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThan(10);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);

  await sidebar(page);
  await keepNotices(page);
  await list.getByRole('button', { name: 'Delete session Winter in Norway' }).click();
  await expect(list.getByRole('link', { name: 'Winter in Norway' })).toBeHidden();
  await closeSidebar(page);
  await expect(page).toHaveTitle('Runtime · Atelier');
  // The answer comes after the drawer was opened again, and leaves it open.
  const opened = Promise.withResolvers<void>();
  await page.route('**/api/sessions/restore', (route) => opened.promise.then(() => route.continue()));
  await page.getByRole('button', { name: 'Undo' }).click();
  const again = await sidebar(page);
  opened.resolve();
  await expect(page).toHaveURL(/sessionId=/u);
  await expect(again.getByRole('link', { name: 'Winter in Norway' })).toBeVisible();
  // Back means what lies on top: the dialog, then the drawer.
  await chooseForSession(page, again, /^More for session/u, 'Share…');
  const share = page.getByRole('dialog', { name: 'Share this session' });
  await expect(share).toBeVisible();
  await page.evaluate('history.back()');
  await expect(share).toBeHidden();
  await expect.poll(() => page.evaluate('location.search')).toContain('sessionId=');
  await expect(again).toBeVisible();
  await page.evaluate('history.back()');
  await expect(again).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open sidebar' })).toBeFocused();
  await expect(page).toHaveURL(/sessionId=/u);
});

const SESSION_LIMIT = 'Free tier users are limited to 3 sessions. Upgrade to Pro to create more.';

test('a first message makes one session, or is kept where there can be none', async ({ page, complaints }) => {
  complaints.expectConsole(/status of 402|ERR_FAILED/u);
  await register(page);
  await createAgent(page, 'Field Notes', 'You help me plan trips');
  await createAgent(page, 'Cook', 'You cook');
  await page.goto('/runtime?agent=gone');
  await send(page, 'Where to?');
  await expect(page.getByText('You must select an agent to start a session.')).toBeVisible();
  await expect(page.getByText('Free tier: 0/10 messages, 0/50 tasks, 0/3 sessions used')).toBeVisible();
  await closeToast(page, 'You must select an agent');

  const own = page.getByRole('region', { name: 'Your agents' });
  await own.getByRole('link', { name: 'Field Notes' }).click();
  await expect(composer(page)).toBeFocused();
  await page.reload();
  await expect(own.getByRole('link', { name: 'Field Notes' })).toHaveAttribute('aria-current', 'true');
  await expect(composer(page)).toHaveValue('Where to?');
  await expectAccessible(page);

  // The answer is lost: the session is there, and the next try finds it.
  await page.route('**/api/sessions', (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await composer(page).press('Enter');
  await expect(page.getByText('Failed to create session. Please try again.')).toBeVisible();
  await closeToast(page, 'Failed to create session');
  await expect(composer(page)).toHaveValue('Where to?');

  // Enter twice, and once more after a look at another page, while the session is on its way.
  const held = Promise.withResolvers<void>();
  await page.route('**/api/sessions', (route) => held.promise.then(() => route.continue()), { times: 2 });
  await composer(page).press('Enter');
  await composer(page).press('Enter');
  await (await sidebar(page)).getByRole('link', { name: 'Explore Agents' }).click();
  await expect(page.getByRole('heading', { name: 'Discover Public Agents' })).toBeVisible();
  await page.goBack();
  await composer(page).press('Enter');
  held.resolve();
  await expect(exchanges(page)).toHaveCount(1);
  await expect(exchanges(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue('');
  await expect(page.getByText('Free tier: 1/10 messages, 1/50 tasks, 1/3 sessions used')).toBeVisible();
  await page.unroute('**/api/sessions');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'No session selected' })).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Last sessions' }).getByRole('link')).toHaveCount(1);

  for (const count of [2, 3]) {
    await startSession(page, 'Field Notes');
    await expect(page.getByText(`${count}/3 sessions used`)).toBeVisible();
  }
  await (await sidebar(page)).getByRole('button', { name: 'New session' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  const names = dialog.getByRole('list', { name: 'Agents' }).getByRole('listitem');
  await expect(names).toHaveText([/^Field Notes/u, /^Cook/u]);
  await dialog.getByRole('button', { name: 'Cook' }).click();
  await expect(page.getByText(SESSION_LIMIT)).toBeVisible();
  await closeToast(page, SESSION_LIMIT);
  await page.goto('/runtime?agent=cook');
  await send(page, 'What is for dinner?');
  await expect(page.getByText(SESSION_LIMIT)).toBeVisible();
  await expect(composer(page)).toHaveValue('What is for dinner?');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(page).toHaveURL(/\/billing$/u);
});

test('the first exchange names the session, but never over a name that the person gave', async ({ page }) => {
  await openConversation(page, { prompt: 'You help me plan trips' });
  await ask(page, 'Which museums in Bergen are worth a rainy afternoon?');
  const list = (await sidebar(page)).getByRole('navigation', { name: 'Sessions' });
  await expect(list.getByRole('link', { name: 'Session: Field Notes' })).toBeHidden();
  await expect(list.getByRole('link', { name: /museum|Bergen/iu })).toBeVisible();
});

test('@desk a conversation that comes late takes no focus from who is typing', async ({ page }) => {
  await register(page);
  await createAgent(page, 'Field Notes', 'You help me plan trips');
  await page.goto('/runtime');
  // The part that shows a conversation is held back until a name is being written.
  let go = () => {};
  const held = new Promise<void>((done) => {
    go = done;
  });
  await page.route(/\/tasks\?|runtime-conversation/u, async (route) => {
    await held;
    await route.fallback();
  });
  await send(page, 'Where to?');
  await expect(page.getByRole('heading', { name: 'Session with: Field Notes' })).toBeVisible();
  const list = (await sidebar(page)).getByRole('navigation', { name: 'Sessions' });
  await chooseForSession(page, list, /^More for session/u, 'Rename…');
  const name = list.getByRole('textbox', { name: 'Session name' });
  await name.fill('Summer');
  go();
  await expect(composer(page)).toBeAttached();
  await expect(name).toBeFocused();
});

/**
 * Starts a session and opens its menu, while parts of the page are on their way; returns the menu's button, and what lets a part come. On a
 * phone the drawer would be over the conversation.
 */
async function openMenuEarly(page: Page, parts: string[]) {
  const held = parts.map(() => Promise.withResolvers<void>());
  for (const [i, part] of parts.entries()) {
    await page.route(`**/assets/${part}-*.js`, async (route) => {
      await held[i]?.promise;
      await route.continue();
    });
  }
  await register(page);
  await createAgent(page, 'Field Notes', 'You help me plan trips');
  await page.goto('/runtime');
  const side = await sidebar(page);
  await send(page, 'Where to?');
  const more = side.getByRole('button', { name: /^More for session/u });
  await more.hover();
  await more.click();
  return { more, release: (part: string) => held[parts.indexOf(part)]?.resolve() };
}

test('a menu stays open when a new conversation comes after it', { tag: '@desk' }, async ({ page }) => {
  const { release } = await openMenuEarly(page, ['runtime-conversation']);
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  release('runtime-conversation');
  await expect(exchanges(page)).toHaveCount(1);
  await expect(page.getByRole('menuitem').first()).toBeFocused();
});

test('a menu opens, once its code is there, also when a new conversation comes before', { tag: '@desk' }, async ({
  page,
}) => {
  const { more, release } = await openMenuEarly(page, ['runtime-conversation', 'menu-sheet']);
  release('runtime-conversation');
  await expect(exchanges(page)).toHaveCount(1);
  await expect(more).toBeFocused();
  release('menu-sheet');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
});

test('who comes back reads how to begin before the application runs', { tag: '@desk' }, async ({ page }) => {
  const words = page.getByText('Please select or create a session (agent) to start chatting.');
  await register(page);
  await page.goto('/runtime');
  await expect(words).toBeVisible();
  await page.route('**/assets/entry.client*', () => {});
  // The page asks before the application runs: for a session that isn't there, and signed out.
  await page.route('**/api/**', () => {});
  await page.goto('/runtime', { waitUntil: 'commit' });
  await expect(words).toBeVisible();
  await page.goto('/runtime?sessionId=unknown', { waitUntil: 'commit' });
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(words).toBeHidden();
  await page.context().clearCookies();
  await page.evaluate('localStorage.clear()');
  await page.goto('/runtime', { waitUntil: 'commit' });
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(words).toBeHidden();
});
