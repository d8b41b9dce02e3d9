import { type FakeOpenAI, serveOllama, startFakeWire } from '../server/src/testing/fake-openai.ts';
import { chunk, spoken, sse } from '../server/src/testing/openai-wire.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { type Server, startServer } from './server.ts';
import { composer, exchanges, newPerson, send, signUp, signUpByHand } from './workshop.ts';

const CHAT = '/v1/chat/completions';
let wire: FakeOpenAI;
let server: Server;
// One worker for the whole file, so that this server starts once.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  wire = await startFakeWire();
  serveOllama(wire, { 'llama3.2:latest': { capabilities: ['completion'], context: 131_072 } });
  // Patient, so that the journey ends the wait, not the clock.
  server = await startServer({ OPENAI_BASE_URL: `${wire.origin}/v1`, MODEL_TIMEOUT_MS: '120000' });
});
test.afterAll(async () => {
  await server.stop();
  await wire.close();
});

test('With an Ollama that has only llama3.2, the first answer is one click after sign-up', async ({ page }) => {
  wire.on(CHAT, { body: spoken('I keep your notes.') });
  await signUpByHand(page, newPerson(), server.url);
  await page.getByRole('button', { name: /Field Notes/u }).click();
  await expect(exchanges(page)).toContainText('I keep your notes.');

  await page.getByRole('button', { name: 'Edit Agent' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Agent' });
  await expect(edit.getByLabel('Model')).toHaveValue('gpt-4');
  await expect(edit.getByText('gpt-4 is not offered here. llama3.2 answers in its place.')).toBeVisible();
  await edit.getByLabel('Model').selectOption('llama3.2');
  await expect(edit.getByText('Reads 4.1K tokens at once, can’t use tools.')).toBeVisible();
  await expectAccessible(page);
  await edit.getByRole('button', { name: 'Save Agent' }).click();
  await expect(edit).toBeHidden();
});

test('Thoughts are folded, a busy provider is waited for, and a cut answer goes on', { tag: '@phone-only' }, async ({
  page,
}) => {
  wire.on(CHAT, { body: spoken('Hello.') });
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, newPerson(), server.url);
  await page.getByRole('button', { name: /Trip Planner/u }).click();
  await expect(exchanges(page)).toContainText('Hello.');

  const thinking = chunk({ reasoning: 'They like trains, so trains first.' });
  const answer = sse(thinking, chunk({ content: 'By train you take' }), chunk({}, 'length'), '[DONE]');
  const busy = { status: 429, body: { error: { message: 'Slow down.' } }, headers: { 'retry-after': '1' } };
  let isBusy = true;
  wire.on(CHAT, () => (isBusy ? busy : { body: answer }));
  await send(page, 'How do we get there?');
  const latest = exchanges(page).last();
  const why = latest.getByText('The provider limits requests (429). Trying again in 1 second.');
  await expect(why).toBeVisible();
  await page.reload();
  await expect(why).toBeVisible();
  isBusy = false;
  await expect(latest).toContainText('By train you take');
  await expect(why).toBeHidden();
  await expect(latest.getByText('They like trains')).toBeHidden();
  await latest.getByText(/^Thought for \d+ s$/u).click();
  await expect(latest.getByText('They like trains, so trains first.')).toBeVisible();
  await expect(latest.getByText('The model reached its length limit')).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  wire.on(CHAT, { body: spoken('the night train at nine.') });
  await composer(page).fill('half a thought');
  await latest.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(exchanges(page).last()).toContainText('the night train at nine.');
  await expect(composer(page)).toHaveValue('half a thought');
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeHidden();

  wire.on(CHAT, { body: sse(thinking, chunk({}, 'stop'), '[DONE]') });
  await send(page, 'And then?');
  await expect(exchanges(page).last().getByText('Thought without answering')).toBeVisible();
});
