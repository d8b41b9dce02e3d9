import { PROMPT_LIMITS, PROMPT_SENTENCES, promptAnswer, promptsAnswer } from '@atelier/contract/prompts';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { savedPrompts } from './prompts.table.ts';

let ada: TestUser;
let eve: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, eve] = [await app.signUp('Ada'), await app.signUp('Eve')];
});

const create = (name: string, text = 'Write about {{subject}}.', as: TestUser | undefined = ada) =>
  app.request('POST', '/api/prompts', { as, body: { name, text } });
const listed = async (as = ada) => promptsAnswer.parse((await app.request('GET', '/api/prompts', { as })).body).prompts;

it('saves, lists by name, changes and deletes', async () => {
  const made = await create('  Letter ');
  expect(made.status).toBe(201);
  const { prompt } = promptAnswer.parse(made.body);
  expect(prompt).toMatchObject({ name: 'Letter', text: 'Write about {{subject}}.' });
  await create('a summary');
  await create('Zebra');
  expect((await listed()).map(({ name }) => name)).toEqual(['a summary', 'Letter', 'Zebra']);
  const renamed = await app.request('PATCH', `/api/prompts/${prompt.id}`, { as: ada, body: { name: 'Mail' } });
  expect(renamed.body.prompt).toMatchObject({ name: 'Mail', text: prompt.text });
  expect((await app.request('DELETE', `/api/prompts/${prompt.id}`, { as: ada })).status).toBe(204);
  expect((await app.request('DELETE', `/api/prompts/${prompt.id}`, { as: ada })).status).toBe(404);
  expect((await listed()).map(({ name }) => name)).toEqual(['a summary', 'Zebra']);
});

it('takes each name once, however it is written and even twice at once', async () => {
  const both = await Promise.all([create('Letter'), create('letter')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const { body } = await create('Mail');
  const taken = await app.request('PATCH', `/api/prompts/${body.prompt.id}`, { as: ada, body: { name: 'LETTER' } });
  expect([taken.status, taken.body.error]).toEqual([
    409,
    { code: 'conflict', message: PROMPT_SENTENCES.taken, field: 'name' },
  ]);
  expect((await create('Letter', 'Hers.', eve)).status).toBe(201);
});

it('refuses what is empty, too long or too much', async () => {
  const many = Array.from({ length: PROMPT_LIMITS.variables + 1 }, (_, i) => `{{v${i}}}`).join(' ');
  for (const [name, text] of [
    ['', 'x'],
    ['x'.repeat(101), 'x'],
    ['x', ' '],
    ['x', 'x'.repeat(32_001)],
    ['x', many],
  ] as const) {
    expect((await create(name, text)).status).toBe(400);
  }
  const { body } = await create('x', 'x');
  expect((await app.request('PATCH', `/api/prompts/${body.prompt.id}`, { as: ada, body: {} })).status).toBe(400);
  const rows = Array.from({ length: PROMPT_LIMITS.prompts - 1 }, (_, i) => ({
    userId: ada.uid,
    id: crypto.randomUUID(),
    name: `p${i}`,
    text: 'x',
  }));
  await app.deps.db.insert(savedPrompts).values(rows);
  const full = await create('one more');
  expect([full.status, full.body.error.message]).toEqual([409, PROMPT_SENTENCES.full]);
});

it('is nobody else’s', async () => {
  const { id } = (await create('Letter')).body.prompt;
  expect(await listed(eve)).toEqual([]);
  for (const [method, body] of [['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
    expect((await app.request(method, `/api/prompts/${id}`, { as: eve, body })).status).toBe(404);
    expect((await app.request(method, '/api/prompts/nothing', { as: ada, body })).status).toBe(404);
  }
  expect((await listed())[0]?.name).toBe('Letter');
});

it('is told to every page of the person', async () => {
  const heard: unknown[] = [];
  const leave = app.deps.live.subscribe(ada.uid, ({ event, data }) => event === 'changed' && heard.push(data.topic));
  await create('Letter');
  await eventually(() => expect(heard).toContain('prompts'));
  leave();
});
