import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import {
  ask,
  closeByEscape,
  closeToast,
  newPerson,
  openAccount,
  openConversation,
  register,
  sidebar,
  startSession,
} from './workshop.ts';

/** The link of the open dialog, as somebody copies it. */
async function createLink(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const field = dialog.getByLabel('Your link');
  await expect(field).toHaveValue(/\/shared\/[\w-]{43}$/u);
  return field.inputValue();
}

/** Another person's browser, signed out. */
async function visitor(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

test('a session is shared, read by a stranger, renewed, and ended', async ({ page, browser, complaints }) => {
  complaints.expectConsole(/404/u);
  const person = await openConversation(page, { prompt: 'You keep notes' });
  await ask(page, 'The **kiln** stands in Faro');
  await page.getByRole('button', { name: 'Share session' }).click();
  await expectAccessible(page);
  const link = await createLink(page, 'Share this session');
  await expectAccessible(page);
  await closeByEscape(page, page.getByRole('dialog', { name: 'Share this session' }));
  await ask(page, 'It fires at night');

  const stranger = await visitor(browser);
  const opened = await stranger.goto(link);
  expect(opened?.headers()['referrer-policy']).toBe('no-referrer');
  expect(opened?.headers()['x-robots-tag']).toBe('noindex');
  await expect(stranger.getByText('The **kiln** stands in Faro', { exact: true })).toBeVisible();
  await expect(stranger.getByText('It fires at night', { exact: true })).toBeHidden();
  await expect(stranger.getByRole('link', { name: /Continue/u })).toHaveCount(0);
  await expect(stranger).toHaveTitle(/^A shared conversation · /u);
  await expect(stranger.locator('meta[name=robots]').first()).toBeAttached();
  expect(await stranger.content()).not.toContain(person.name);
  await expectAccessible(stranger);
  await expectNoSidewaysScroll(stranger);
  await stranger.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(stranger);

  await openAccount(page);
  const links = page.getByRole('region', { name: 'Shared links' });
  await expect(links.getByText('The session, one exchange')).toBeVisible();
  await links.getByRole('button', { name: 'Renew' }).click();
  await closeToast(page, 'The link now shows the session as it is.');
  await expect(links.getByText('The session, 2 exchanges')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await stranger.reload();
  await expect(stranger.getByText('It fires at night', { exact: true })).toBeVisible();
  const option = async (line: string, said: string) => {
    // A toast that is closed gives the focus back a moment later, and a menu closes when the focus leaves it.
    await expect(page.locator('body')).not.toBeFocused();
    await links.getByRole('button', { name: 'Options of the link' }).click();
    await page.getByRole('menuitemcheckbox', { name: line }).click();
    await closeToast(page, said);
  };
  await option('Show later messages too', 'The link now shows later messages too.');
  await expect(links.getByText('The session, later messages too', { exact: true })).toBeVisible();
  await option('Show what the answers used', 'The link now shows what the answers used.');
  await expect(links.getByText('The session, later messages too · with what the answers used')).toBeVisible();
  await links.getByRole('button', { name: 'Options of the link' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Show what the answers used' })).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Show later messages too' })).toBeFocused();
  await page.keyboard.press('Enter');
  await closeToast(page, 'The link stays as the session is now.');
  await expect(links.getByText('The session, 2 exchanges · with what the answers used')).toBeVisible();
  await expect(links.getByRole('button', { name: 'Options of the link' })).toBeFocused();
  await links.getByRole('button', { name: 'End link' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End link' }).click();
  await expect(links.getByText('You have no shared links.')).toBeVisible();
  await stranger.reload();
  await expect(stranger.getByRole('heading', { name: 'Nothing is shared here' })).toBeVisible();
  await expectAccessible(stranger);
  await stranger.context().close();
});

test('the words of a link are on the page before the application, and stay where they are', async ({
  page,
  browser,
}) => {
  await openConversation(page, { prompt: 'You keep notes' });
  // Only the application shows addresses.
  await ask(page, 'The kiln stands in Faro, see www.faro.example');
  await page.getByRole('button', { name: 'Share session' }).click();
  const link = await createLink(page, 'Share this session');
  const stranger = await visitor(browser);
  const arrived = Promise.withResolvers<void>();
  await stranger.route(/\/assets\/.*\.js$/u, async (route) => {
    await arrived.promise;
    await route.continue();
  });
  // The page has loaded once its application has, which is held back.
  await stranger.goto(link, { waitUntil: 'commit' });
  const question = stranger.getByText('The kiln stands in Faro, see www.faro.example', { exact: true });
  await expect(question).toBeVisible();
  await expect(stranger.getByText('Loading the conversation')).toBeHidden();
  await expect(stranger.getByText('AI answers can be wrong.')).toBeVisible();
  await expectNoSidewaysScroll(stranger);
  await expectAccessible(stranger);
  const before = await question.boundingBox();
  arrived.resolve();
  await expect(stranger.locator('#first-words')).toHaveCount(0);
  await expect(question).toHaveCount(1);
  expect(await question.boundingBox()).toEqual(before);
  await stranger.context().close();
});

/** Whatever needs no application to be shown. */
const FORMATTED = `# The kiln

It *stands* in **Faro**, near \`Loulé\`:<br>H<sub>2</sub>O &amp; ~~fire~~ clay.

1. Dry the clay
2. Fire it
   - once at 1000 °C
   - then glazed

> “It fires at night.”

---

الفرن في فارو`;

test('what needs no application is read without it, also what came since somebody left the page', async ({
  page,
  browser,
  provided: { server, provider },
}) => {
  await openConversation(page, { prompt: 'You keep notes', at: server.url });
  await ask(page, 'The kiln stands in Faro');
  provider.behave({ text: FORMATTED });
  await ask(page, 'Where does the kiln stand?');
  const sessionId = new URL(page.url()).searchParams.get('sessionId');
  const made = await page.request.post(`${server.url}/api/sessions/${sessionId}/shares`, {
    headers: { origin: server.url },
    data: { withReceipts: true, follows: true },
  });
  const { share } = await made.json();

  const stranger = await visitor(browser);
  await stranger.clock.install();
  const requests: string[] = [];
  stranger.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/assets\/.*\.js$|^\/api\//u.test(pathname)) requests.push(pathname);
  });
  await stranger.goto(`${server.url}/shared/${share.token}`);
  const exchange = stranger.getByRole('article').last();
  await expect(exchange.getByRole('heading', { name: 'The kiln' })).toBeVisible();
  const html = await exchange.innerHTML();
  await exchange.getByText('What this answer used').click();
  await expect(exchange.getByText('The kiln stands in Faro', { exact: true })).toBeVisible();
  await stranger.getByRole('button', { name: 'Dark' }).click();
  await expect(stranger.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(stranger.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(stranger);
  await expectNoSidewaysScroll(stranger);

  const comeBack = async () => {
    await stranger.clock.fastForward('01:01');
    await stranger.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  };
  provider.behave({ text: 'It **fires** at night.' });
  await ask(page, 'When does it fire?');
  await comeBack();
  await expect(stranger.getByText('When does it fire?', { exact: true })).toBeVisible();
  await expect(exchange.locator('strong')).toHaveText('fires');
  await expect(stranger.getByText('Said earlier').first()).toBeVisible();
  expect(requests).toEqual([
    `/api/shared/${share.token}`,
    expect.stringMatching(/^\/assets\/formatted-words-\w+\.js$/u),
    `/api/shared/${share.token}`,
  ]);

  provider.behave({ text: '```js\nfire()\n```' });
  await ask(page, 'In code?');
  await comeBack();
  await expect(stranger.getByRole('button', { name: 'Copy code' })).toBeVisible();
  await expect(stranger.locator('#first-words')).toHaveCount(0);
  // The application shows the same.
  expect(await stranger.getByRole('article').nth(1).innerHTML()).toBe(html);
  await expect(stranger.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true');
  await stranger.context().close();
});

test('one answer is shared by keyboard, with what it used', { tag: '@night' }, async ({ page, browser }) => {
  await openConversation(page, { prompt: 'You keep notes' });
  await ask(page, 'My sister is allergic to peanuts');
  const exchange = await ask(page, 'What is my sister allergic to?');
  await exchange.getByRole('button', { name: 'More for this exchange' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Continue in a new session' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Share answer…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share this answer' });
  await expect(dialog.getByLabel('Show later messages too')).toHaveCount(0);
  await dialog.getByLabel('Show what the answers used').focus();
  await page.keyboard.press('Space');
  const link = await createLink(page, 'Share this answer');
  await expect(dialog.getByText('One answer · with what the answers used')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(exchange.getByRole('button', { name: 'More for this exchange' })).toBeFocused();

  const stranger = await visitor(browser);
  await stranger.goto(link);
  await expect(stranger.getByRole('heading', { name: 'An answer by Field Notes' })).toBeVisible();
  await expect(stranger.getByRole('article')).toHaveCount(1);
  await stranger.getByText('What this answer used').click();
  await expect(stranger.getByText('My sister is allergic to peanuts', { exact: true })).toBeVisible();
  await expectAccessible(stranger);
  await stranger.context().close();
});

test('nothing in the dialog moves under the pointer when the session’s links arrive', async ({ page }) => {
  await openConversation(page, { prompt: 'You keep notes' });
  await ask(page, 'The kiln stands in Faro');
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(/\/shares$/u, async (route) => {
    if (route.request().method() === 'GET') {
      asked.resolve();
      await answer.promise;
    }
    await route.continue();
  });
  await page.getByRole('button', { name: 'Share session' }).click();
  await asked.promise;
  const dialog = page.getByRole('dialog', { name: 'Share this session' });
  const create = dialog.getByRole('button', { name: 'Create link' });
  await expect(dialog).toBeVisible();
  await expect(create).toBeHidden();
  answer.resolve();
  await create.click();
  await expect(dialog.getByLabel('Your link')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'Links to this session' })).toBeVisible();
  await closeByEscape(page, dialog);

  // The dialog closes with the session that was open, and stays closed.
  await (await sidebar(page)).getByRole('link', { name: 'Runtime', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No session selected' })).toBeVisible();
  await (await sidebar(page)).getByRole('navigation', { name: 'Sessions' }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Share session' }).click();
  await expect(create).toBeVisible();
  await page.evaluate('history.back()');
  await expect(page).toHaveURL(/\/runtime$/u);
  await expect(dialog).toBeHidden();
  await page.evaluate('history.forward()');
  await page.getByRole('button', { name: 'Share session' }).click({ trial: true });
});

test('who reads a public agent’s answers goes on with a copy of it', { tag: '@night' }, async ({
  page,
  browser,
  server,
}) => {
  const person = await register(page);
  await server.admin('grant-pro', person.email, '--reason', 'test');
  const headers = { origin: server.url };
  const data = { name: 'Kiln Guide', prompt: 'You know kilns', isPublic: true };
  expect((await page.request.post('/api/agents', { headers, data })).status()).toBe(201);
  await page.goto('/runtime');
  await startSession(page, 'Kiln Guide');
  await ask(page, 'The glaze needs 1240 degrees');
  await page.getByRole('button', { name: 'Share session' }).click();
  const link = await createLink(page, 'Share this session');

  const stranger = await visitor(browser);
  await stranger.goto(link);
  await stranger.getByRole('link', { name: 'Continue with a copy of this agent' }).click();
  await expect(stranger).toHaveURL(/\/signup/u);
  const other = newPerson();
  await stranger.getByLabel('Username').fill(other.name);
  await stranger.getByLabel('Email').fill(other.email);
  await stranger.getByLabel('Password', { exact: true }).fill(other.password);
  await stranger.getByRole('button', { name: 'Create Account' }).click();
  await expect(stranger).toHaveURL(/\/shared\/[\w-]+\/continue$/u);
  await expectAccessible(stranger);
  await stranger.getByRole('button', { name: 'Copy it and start' }).click();
  await expect(stranger.getByRole('button', { name: 'Agent: Kiln Guide' })).toBeVisible();
  await expect(stranger.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await stranger.context().close();
});
