import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { composer, exchanges, openConversation, send, startSession } from './workshop.ts';

test.use({ baseURL: async ({ provided }, use) => use(provided.server.url) });

const WORDS = Array.from({ length: 60 }, (_, i) => `word${i}`);
const STORY = WORDS.join(' ');
/** Half of the story comes at once, the rest when it is released. */
const held = { text: STORY, deltas: 60, heldAfter: [30] };

async function workspace(page: Page): Promise<void> {
  await openConversation(page, { agent: 'Story Teller', prompt: 'You tell stories' });
}

const answer = (page: Page) => exchanges(page).last();
const complete = (page: Page) => expect(answer(page).getByText(STORY, { exact: true })).toBeVisible();

test('a reload in the middle of an answer goes on with it, complete and once', async ({ page, provided }) => {
  await workspace(page);
  provided.provider.behave(held);
  await send(page, 'Tell me a story');
  await expect(answer(page)).toContainText('word5');
  await page.reload();
  await expect(answer(page)).toContainText('word10');
  provided.provider.release();
  await complete(page);
  await expect(exchanges(page)).toHaveCount(1);
  await page.reload();
  await complete(page);
  await expect(page.getByText(STORY)).toHaveCount(1);
  await expect(page.getByText('Free tier: 1/10 messages')).toBeVisible();
});

test('a second tab shows the same text as it comes', { tag: '@night' }, async ({ page, context, provided }) => {
  await workspace(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText('Nothing said yet.')).toBeVisible();
  provided.provider.behave(held);
  await send(page, 'Tell me a story');
  await expect(answer(other)).toContainText('word5');
  await expect(answer(other)).not.toContainText('word59');
  provided.provider.release();
  await Promise.all([complete(page), complete(other)]);
});

test('eight tabs follow two answers, and each still responds', { tag: '@night' }, async ({
  page,
  context,
  provided,
}) => {
  await workspace(page);
  const first = page.url();
  await startSession(page, 'Story Teller');
  const second = page.url();
  const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
  for (const [i, tab] of others.entries()) await tab.goto(i % 2 === 0 ? first : second);
  const [tellerOfFirst] = others;
  if (tellerOfFirst === undefined) throw new Error('no tabs');
  provided.provider.behave(held);
  await send(tellerOfFirst, 'Tell me the first story');
  await send(page, 'Tell me the second story');
  const tabs = [page, ...others];
  await Promise.all(tabs.map((tab) => expect(answer(tab)).toContainText('word3')));
  await Promise.all(
    tabs.map(async (tab) => {
      const status = await tab.evaluate("fetch('/api/me').then((answer) => answer.status)");
      expect(status).toBe(200);
    }),
  );
  provided.provider.release();
  await Promise.all(tabs.map(complete));
});

test('a provider that refuses costs nothing, and a failed answer has one way on', async ({
  page,
  provided,
  complaints,
}) => {
  await workspace(page);
  provided.provider.behave({ mode: 'error', status: 401, errorMessage: 'Incorrect API key: sk-journey-0123456789' });
  await send(page, 'Tell me a story');
  await expect(answer(page)).toContainText('Failed to run agent task: ');
  await expect(page.getByText('sk-journey-0123456789')).toHaveCount(0);
  await expect(page.getByText('Free tier: 0/10 messages')).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await expect(answer(page).getByRole('button', { name: /Regenerate/u })).toHaveCount(0);

  complaints.expectConsole(/status of 50[02]|ApiError/u);
  const failing = [
    { status: 502, said: 'Failed to run agent task. See console for details.' },
    { status: 500, json: { error: { code: 'internal', message: 'Out.' } }, said: 'Failed to run agent task: Out.' },
  ];
  for (const { said, ...refusal } of failing) {
    await page.route('**/retry', (route) => route.fulfill(refusal), { times: 1 });
    await answer(page).getByRole('button', { name: 'Retry' }).click();
    await expect(answer(page).getByText(said, { exact: true })).toBeVisible();
    await page.route('**/tasks', (route) => route.fulfill(refusal), { times: 1 });
    await composer(page).fill('Tell me a story');
    await composer(page).press('Enter');
    await expect(page.getByText(said, { exact: true })).toHaveCount(2);
    await expect(composer(page)).toHaveValue('Tell me a story');
  }

  provided.provider.behave({ mode: 'ok', text: 'Once upon a time.' });
  await answer(page).getByRole('button', { name: 'Retry' }).click();
  await expect(answer(page)).toContainText('Once upon a time.');
  await expect(exchanges(page)).toHaveCount(1);
  await expect(exchanges(page).first()).toContainText('2 of 2');
  await expect(page.getByText('Free tier: 1/10 messages')).toBeVisible();
});

test('an answer is stopped, keeps what had come, and can be had again', async ({ page, provided }) => {
  await workspace(page);
  provided.provider.behave(held);
  await send(page, 'Tell me a story');
  await expect(answer(page)).toContainText('word5');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(answer(page)).toContainText('Stopped.');
  await expect(answer(page).getByRole('button', { name: /Regenerate/u })).toHaveCount(0);
  await expect(answer(page)).toContainText('word5');
  await expect(answer(page)).not.toContainText('word59');
  await expect.poll(() => provided.provider.requests.some(({ closedEarly }) => closedEarly)).toBe(true);
  provided.provider.behave({ heldAfter: [] });
  await answer(page).getByRole('button', { name: 'Retry' }).click();
  await expect(exchanges(page).first()).toContainText('2 of 2');
  await complete(page);
});
