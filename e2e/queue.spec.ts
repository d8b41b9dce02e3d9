import type { Locator, Page } from '@playwright/test';
import { startFakeOpenAI } from '../server/src/testing/fake-openai.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import { composer, exchanges, keepNotices, openConversation, send, tabTo } from './workshop.ts';

test.use({ baseURL: async ({ provided }, use) => use(provided.server.url) });

/** Answers until it is released or stopped. */
const held = { text: 'word '.repeat(20), deltas: 20, heldAfter: [10] };
const quickly = { text: 'Certainly.', deltas: 2, heldAfter: [] };

async function workspace(page: Page): Promise<void> {
  await openConversation(page, { agent: 'Story Teller', prompt: 'You tell stories' });
}

const queue = (page: Page): Locator => page.getByRole('region', { name: 'Waiting messages' });
const waiting = (page: Page) => queue(page).getByRole('listitem');
const asked = (page: Page, texts: string[]) =>
  expect(async () => {
    expect(await exchanges(page).count()).toBe(texts.length);
    for (const [i, text] of texts.entries()) await expect(exchanges(page).nth(i)).toContainText(text, { timeout: 100 });
  }).toPass();

test('messages sent while an answer runs wait, and can be changed; they are sent in order', async ({
  page,
  provided,
}) => {
  await workspace(page);
  provided.provider.behave(held);
  await send(page, 'The first');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await send(page, 'The second');
  await expect(queue(page)).toContainText('Waiting: 1 message');
  await expect(composer(page)).toHaveValue('');
  await send(page, 'The thirt');
  await composer(page).fill('The fourth');
  await page.getByRole('button', { name: 'Queue' }).click();
  await expect(waiting(page)).toHaveCount(3);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await queue(page).getByRole('button', { name: 'Edit waiting message 2' }).click();
  const edit = queue(page).getByRole('textbox', { name: 'Waiting message 2' });
  await expect(edit).toBeFocused();
  await edit.fill('The third');
  await queue(page).getByRole('button', { name: 'Edit waiting message 1' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await expect(edit).toHaveValue('The third');
  await edit.press('Enter');
  await expect(waiting(page).nth(1)).toContainText('The third');
  await keepNotices(page);
  await queue(page).getByRole('button', { name: 'Remove waiting message 1' }).click();
  await expect(waiting(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(waiting(page)).toHaveCount(3);
  await expect(waiting(page).first()).toContainText('The second');
  provided.provider.behave(quickly);
  await page.getByRole('button', { name: 'Stop' }).click();
  await queue(page).getByRole('button', { name: 'Send now' }).click();
  await asked(page, ['The first', 'The second', 'The third', 'The fourth']);
  await expect(queue(page)).toBeHidden();
});

test('Stop means stop: what waits asks first', async ({ page, provided }) => {
  await workspace(page);
  provided.provider.behave(held);
  await send(page, 'The first');
  await expect(exchanges(page).last()).toContainText('word');
  await send(page, 'The second');
  await expect(waiting(page)).toHaveCount(1);
  await composer(page).press('Escape');
  await expect(queue(page)).toContainText('You stopped the answer, so these messages wait for you.');
  await expect(exchanges(page)).toHaveCount(1);
  await expectAccessible(page);
  provided.provider.behave(quickly);
  // A new message is sent at once; queued ones still wait.
  await send(page, 'In between');
  await asked(page, ['The first', 'In between']);
  await expect(exchanges(page).last()).toContainText('Certainly.');
  await expect(waiting(page)).toHaveCount(1);
  // What is typed into a message stays when that is sent.
  await queue(page).getByRole('button', { name: 'Edit waiting message 1' }).click();
  const edit = queue(page).getByRole('textbox', { name: 'Waiting message 1' });
  await edit.fill('The second, and more');
  await queue(page).getByRole('button', { name: 'Send now' }).click();
  await asked(page, ['The first', 'In between', 'The second']);
  await expect(edit).toHaveValue('The second, and more');
  await queue(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(queue(page)).toBeHidden();
});

test('@desk messages written faster than the network are queued one after another', { tag: '@night' }, async ({
  page,
  provided,
}) => {
  await workspace(page);
  provided.provider.behave(held);
  await send(page, 'The first');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  const written = Promise.withResolvers<void>();
  await page.route('**/tasks', async (route) => {
    await written.promise;
    await route.continue();
  });
  await send(page, 'One');
  await composer(page).press('End');
  await page.keyboard.type(' Two');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' and');
  written.resolve();
  await expect(waiting(page)).toHaveText([/One$/u, /Two$/u]);
  await expect(composer(page)).toHaveValue('and');
  await page.unrouteAll({ behavior: 'wait' });

  // The queue shows a message before the page hears that the server has it: what is typed meanwhile stays, also where it begins alike.
  await page.route('**/tasks', async (route) => {
    const response = await route.fetch();
    await expect(composer(page)).toHaveValue('');
    await composer(page).fill('Three more');
    await route.fulfill({ response });
  });
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await send(page, 'Three');
  await (await answered).finished();
  await expect(page.getByRole('button', { name: 'Queue' })).not.toHaveAttribute('aria-busy', 'true');
  await expect(composer(page)).toHaveValue('Three more');
  await expect(waiting(page)).toHaveText([/One$/u, /Two$/u, /Three$/u]);
});

test('@desk a message whose way to the queue breaks off stays in the composer, and is queued once', {
  tag: '@night',
}, async ({ page, provided, complaints }) => {
  complaints.expectConsole(/ERR_FAILED/u);
  await workspace(page);
  provided.provider.behave(held);
  await send(page, 'The first');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  const keys: string[] = [];
  const arrives = { before: false };
  await page.route('**/tasks', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (arrives.before) await route.fetch();
    await route.abort();
  });
  await send(page, 'The second');
  await expect(page.getByRole('alert')).toContainText('could not be reached');
  await page.reload();
  await expect(composer(page)).toHaveValue('The second');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  // Nobody hears that the server has it, but the queue shows it.
  arrives.before = true;
  await composer(page).press('Enter');
  await expect(waiting(page)).toHaveText([/The second$/u]);
  await expect(composer(page)).toHaveValue('');
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  await page.unrouteAll();
  provided.provider.behave(quickly);
  provided.provider.release();
  await asked(page, ['The first', 'The second']);
});

test('two tabs, a reload in the middle, and no tab at all: each message once', async ({ page, context, provided }) => {
  await workspace(page);
  const address = page.url();
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByText('Nothing said yet.')).toBeVisible();
  provided.provider.behave(held);
  await send(page, 'The first');
  await expect(other.getByRole('button', { name: 'Stop' })).toBeVisible();
  await send(other, 'From there');
  await expect(waiting(page)).toHaveCount(1);
  await send(page, 'From here');
  await expect(waiting(other)).toHaveCount(2);
  await page.reload();
  await expect(waiting(page)).toHaveText([/From there/u, /From here/u]);
  await other.close();
  provided.provider.behave(quickly);
  // Hidden while they are sent.
  await page.goto('about:blank');
  provided.provider.release();
  const answers = () =>
    page.request.get(
      `${address.split('/runtime')[0]}/api/sessions/${new URL(address).searchParams.get('sessionId')}/tasks`,
    );
  await expect
    .poll(async () => (await (await answers()).json()).tasks.map((task: { status: string }) => task.status), {})
    .toEqual(['done', 'done', 'done']);
  await page.goto(address);
  await asked(page, ['The first', 'From there', 'From here']);
});

test('@desk by keyboard alone', { tag: '@night' }, async ({ page, provided }) => {
  await workspace(page);
  provided.provider.behave(held);
  await page.keyboard.press('/');
  await expect(composer(page)).toBeFocused();
  for (const text of ['one', 'two', 'three']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await expect(composer(page)).toHaveValue('');
  }
  await expect(waiting(page)).toHaveCount(2);
  const remove = queue(page).getByRole('button', { name: 'Remove waiting message 1' });
  await tabTo(page, remove, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(waiting(page)).toHaveText([/three/u]);
  // The focus stays in the list.
  await expect(queue(page).getByRole('button', { name: 'Edit waiting message 1' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.type(', really');
  await page.keyboard.press('Enter');
  await expect(waiting(page)).toHaveText([/three, really/u]);
  await expect(queue(page).getByRole('button', { name: 'Edit waiting message 1' })).toBeFocused();
  provided.provider.behave(quickly);
  provided.provider.release();
  await asked(page, ['one', 'three, really']);
});

test('@desk a restart of the server loses nothing and sends nothing twice', { tag: '@night' }, async ({
  page,
  complaints,
}) => {
  complaints.expectConsole(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_CONTENT_LENGTH/u);
  const provider = await startFakeOpenAI(held);
  const server = await startServer({ OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-journey-0123456789' });
  try {
    await openConversation(page, { agent: 'Story Teller', prompt: 'You tell stories', at: server.url });
    await send(page, 'The first');
    await expect(exchanges(page).last()).toContainText('word');
    await send(page, 'The second');
    await send(page, 'The third');
    await expect(waiting(page)).toHaveCount(2);
    await server.kill();
    await server.restart();
    await expect(queue(page)).toContainText('The server could not finish the answer');
    provider.behave(quickly);
    await queue(page).getByRole('button', { name: 'Send now' }).click();
    await asked(page, ['The first', 'The second', 'The third']);
    await expect(queue(page)).toBeHidden();
  } finally {
    // An open page would keep asking, and log errors.
    await page.goto('about:blank');
    await server.stop();
    await provider.close();
  }
});
