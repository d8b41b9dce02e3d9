import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_TYPES } from '@atelier/contract/files';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { KIND_ROWS } from '../../testing/file-kinds.ts';
import { FILES, filesOf } from '../../testing/files.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';

let app: TestApp;
let ada: TestUser;
const { upload, list, add } = filesOf(
  () => app,
  () => ada,
);
beforeAll(async () => {
  app = await testApp();
  ada = await app.signUpPro('Ada');
  const body = { name: 'Reader', prompt: 'You read.', tools: ['search_files'] };
  await app.request('POST', '/api/agents', { as: ada, body });
});
afterEach(async () => {
  for (const { id } of await list()) await app.request('DELETE', `${FILES}/${id}`, { as: ada });
});
afterAll(async () => {
  await rm(join(app.deps.config.DATA_DIR, 'files'), { recursive: true, force: true });
  await app.close();
});

const QUESTION = 'How much is roof repair?';

it('has a row for every kind of file', () => {
  const kinds = new Set([...FILE_TYPES.values()].map(({ kind }) => kind));
  expect(new Set(KIND_ROWS.map(({ kind }) => kind))).toEqual(kinds);
});

it.each(KIND_ROWS)(
  '$kind is read, and answers with its place: $file.0',
  async ({ file: [name, data], place, question = QUESTION, answer = '480' }) => {
    const added = await add(name, data);
    expect([added.state, added.error]).toEqual(['ready', undefined]);
    const { body } = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'reader' } });
    const input = { sessionId: body.session.id, agentId: 'reader', inputText: question };
    const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body: input })).body;
    const message = task.message.replaceAll('\\', '');
    expect(message).toContain(`From the file “${name}, ${place}”`);
    expect(message).toContain(answer);
  },
);

const REFUSED = KIND_ROWS.flatMap(({ kind, file: [name], damaged, bomb, encrypted }) =>
  Object.entries({ damaged, bomb, encrypted }).flatMap(([how, given]) =>
    given === undefined ? [] : [{ kind, how, name: `${how}-${name}`, data: given[0], sentence: given[1] }],
  ),
);
it.each(REFUSED)('$kind is refused in a sentence: $name', async ({ name, data, sentence }) => {
  const sent = await upload(name, data);
  // Some are known by their first bytes, the others when they are read.
  const error = sent.status === 415 ? sent.body.error.message : (await add(name, data)).error;
  expect(error).toMatch(sentence);
});
