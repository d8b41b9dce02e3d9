import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { FILES, filesOf } from '../../testing/files.ts';
import { emptyApp, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { purgeFile } from '../files/files.service.ts';
import { agentFiles } from '../files/files.table.ts';
import { afterVersion, findChanges } from './changes.queries.ts';
import { embedRest } from './embed.service.ts';
import { unpackRows } from './index/packed-rows.ts';
import { memoryVectors, passageVectors } from './memory.table.ts';

let app: TestApp;
let model = '';
let ada: TestUser;
let sessionId: string;
const env = (name: string) => ({
  OPENAI_BASE_URL: provider.url,
  OPENAI_API_KEY: 'sk-x',
  EMBEDDING_MODEL: name,
  // On a busy machine any answer may take longer: only the test of silence waits so little.
  ...(name === 'impatient' ? { MODEL_TIMEOUT_MS: '1000' } : {}),
});
const provider = await closing(startFakeOpenAI());
/** Keeps the database open while the process with the model is another. */
const home = await emptyApp({ env: env('none') });
// Two processes with two models would undo each other's work.
await home.deps.jobs.stop();
afterAll(() => app.close());
/** The same database in another process, with this model. */
async function startWith(wanted: string) {
  if (model === wanted) return;
  if (model !== '') await app.close();
  app = await testApp({ env: env(wanted), database: home.deps.database });
  model = wanted;
}

beforeEach(async () => {
  provider.reset();
  await startWith('first');
  ada = await app.signUpPro('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Notes', prompt: 'p' } });
  sessionId = await startSession();
});

const startSession = () => app.startSession(ada, 'notes');
const ask = async (inputText: string, agentId = 'notes') => {
  const body = { sessionId, agentId, inputText };
  return (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body.task;
};
const status = async () => (await app.request('GET', '/api/memories/status', { as: ada })).body.embedding;
const passageVectorsNow = () => app.deps.db.select().from(passageVectors);
const vectors = () => app.deps.db.select().from(memoryVectors);
/** Waits until every memory has its vector. */
const settled = async () => {
  await expect.poll(async () => ((s) => s.total > 0 && s.done === s.total)(await status())).toBe(true);
};
const used = (task: { memoryUsed: { text: string }[] }) => task.memoryUsed.map((item) => item.text);

const SATAY = 'Anybody allergic avoids the satay.';
const PEANUTS = 'My sister is allergic to peanuts';
/** No word in common with it. */
const OTHER_WORDS = 'Sibling intolerant nuts?';

describe('embeddings', () => {
  it('are made behind the answer, and find what shares no word with the question', async () => {
    await ask(PEANUTS);
    await ask('The railway leaves at seven');
    await settled();
    expect(await status()).toMatchObject({ model: 'first' });
    sessionId = await startSession();
    const task = await ask(OTHER_WORDS);
    expect(used(task)).toContain(PEANUTS);
  });

  it('of another model are made again; meanwhile what was said last goes along with the question, and spaces are never mixed', async () => {
    await ask(PEANUTS);
    await settled();
    const before = (await vectors()).length;
    await startWith('second');
    expect(await status()).toMatchObject({ model: 'second', done: 0, total: before });
    sessionId = await startSession();
    expect(used(await ask(OTHER_WORDS))).toContain(PEANUTS);
    await embedRest(app.deps);
    expect(new Set((await vectors()).map((row) => row.space))).toEqual(new Set(['second']));
    const batches = provider.requests.filter((r) => r.body.model === 'second').map((r) => r.body.input?.length ?? 0);
    expect(Math.max(...batches)).toBeGreaterThan(1);
    sessionId = await startSession();
    expect(used(await ask(OTHER_WORDS))).toContain(PEANUTS);
  });

  it('of files compete with memories, and go with their file', async () => {
    await ask(PEANUTS);
    const { upload, list, add, passagesOf } = filesOf(
      () => app,
      () => ada,
    );
    await app.request('POST', '/api/agents', { as: ada, body: { name: 'Reader', prompt: 'p' } });
    const { id } = await add('menu.txt', SATAY);
    expect((await upload('times.txt', 'The railway leaves at seven.')).status).toBe(201);
    await expect.poll(async () => (await passageVectorsNow()).length).toBe(2);
    expect((await passageVectorsNow()).map(({ space }) => space)).toEqual(['first', 'first']);
    expect(await passagesOf(id)).toHaveLength(1);

    const body = { agentId: 'reader' };
    sessionId = (await app.request('POST', '/api/sessions', { as: ada, body })).body.session.id;
    const task = await ask('My brother has a sensitivity.', 'reader');
    expect(used(task)).toContain(SATAY);
    sessionId = (await app.request('POST', '/api/sessions', { as: ada, body })).body.session.id;
    await settled();
    const both = await ask('Intolerant?', 'reader');
    expect(both.memoryUsed.map((item: { kind: string }) => item.kind)).toEqual(
      expect.arrayContaining(['person', 'file']),
    );

    await settled();
    const [file] = await app.deps.db.select().from(agentFiles);
    const wanted = { userId: ada.uid, agentId: file?.agentId ?? '', onlySession: null };
    const inSpace = async (space: string) => {
      const { packed } = await findChanges(app.deps.db, 'passages', { ...wanted, space }, afterVersion(-1));
      return unpackRows(packed).map((row) => row.vector !== undefined);
    };
    expect([await inSpace('first'), await inSpace('second')]).toEqual([
      [true, true],
      [false, false],
    ]);
    await startWith('second');
    await embedRest(app.deps);
    expect((await passageVectorsNow()).map(({ space }) => space)).toEqual(['second', 'second']);
    expect(used(await ask(OTHER_WORDS, 'reader'))).toContain(SATAY);

    await app.request('DELETE', `${FILES}/${id}`, { as: ada });
    expect(used(await ask(OTHER_WORDS, 'reader'))).not.toContain(SATAY);
    await app.deps.database.executeSql(
      `update agent_files set deleted_at = now() - interval '1 minute' where id = $1`,
      [id],
    );
    await purgeFile(app.deps, { userId: ada.uid, fileId: id });
    expect([(await list()).length, (await passageVectorsNow()).length]).toEqual([1, 1]);
  });

  it('go with what is forgotten', async () => {
    await ask(PEANUTS);
    await settled();
    const { memories } = (await app.request('GET', '/api/memories', { as: ada })).body;
    const ids = memories.map((m: { id: string }) => m.id);
    await app.request('DELETE', '/api/memories', { as: ada, body: { ids } });
    expect(await vectors()).toEqual([]);
    sessionId = await startSession();
    expect(used(await ask(OTHER_WORDS))).toEqual([]);
  });

  it('never fail a run: with a provider that makes none, words find what they can', async () => {
    await startWith('impatient');
    for (const embeddings of ['fail', 'silence'] as const) {
      provider.behave({ embeddings });
      await ask(`${PEANUTS}, ${embeddings}`);
      sessionId = await startSession();
      const task = await ask('What is my sister allergic to?');
      expect([embeddings, task.status]).toEqual([embeddings, 'done']);
      expect(used(task)).toContain(`${PEANUTS}, ${embeddings}`);
    }
    expect(await vectors()).toEqual([]);
  });
});
