import { memoriesAnswer } from '@atelier/contract/memory';
import { type SearchAnswer, searchAnswer } from '@atelier/contract/search';
import { whySentence } from '@atelier/contract/search/why-found';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { filesOf } from '../../testing/files.ts';
import { emptyApp, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { embedRest } from '../memory/embed.service.ts';

let meant: TestApp;
let ada: TestUser;
let bob: TestUser;
const provider = await closing(startFakeOpenAI());
/** The same database in two processes: one without embeddings, one with. */
const plain = await emptyApp();
beforeEach(async () => {
  provider.reset();
  const model = { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-x', EMBEDDING_MODEL: 'fake' };
  // Either process may read a file that the other took in: the data folder is one as well.
  const env = { ...model, EMBEDDING_DIMENSIONS: '512', DATA_DIR: plain.deps.config.DATA_DIR };
  meant = await testApp({ env, database: plain.deps.database });
  [ada, bob] = [await plain.signUpPro('Ada'), await plain.signUpPro('Bob')];
  return () => meant.close();
});

const RAILWAY = 'We take the railway to Basel';
const NOTHING = { sessions: [], tasks: [], memories: [], files: [], agents: [], publicAgents: [] };

const post = async (path: string, body: unknown, as = ada) => (await plain.request('POST', path, { as, body })).body;
async function say(inputText: string, as = ada, name = 'Plans') {
  await post('/api/agents', { name: 'Reader', prompt: 'You keep notes' }, as);
  const { session } = await post('/api/sessions', { agentId: 'reader', name }, as);
  const { task } = await post('/api/runAgentTask', { sessionId: session.id, agentId: 'reader', inputText }, as);
  return { session, task };
}
const find = async (q: string, by = plain, as = ada): Promise<SearchAnswer> =>
  searchAnswer.parse((await by.request('GET', `/api/search?q=${encodeURIComponent(q)}`, { as })).body);
const list = async (query: string, by = plain, as = ada) =>
  memoriesAnswer.parse((await by.request('GET', `/api/memories?${query}`, { as })).body);
/** Once meaning was searched too: the first search may be answered before an index is loaded. */
async function findMeant(q: string, as = ada): Promise<SearchAnswer> {
  let found: SearchAnswer | undefined;
  await eventually(async () => {
    found = await find(q, meant, as);
    expect(found.meaning).toBe('done');
  });
  return searchAnswer.parse(found);
}
const reasons = (found: { why?: Parameters<typeof whySentence>[0] | undefined }[]) =>
  found.map(({ why }) => why && whySentence(why));

describe('without embeddings', () => {
  it('finds related words in sessions, exchanges, memories, files and agents, and says which', async () => {
    const { session, task } = await say(RAILWAY, ada, 'The railway journey');
    await post('/api/agents', { name: 'Railway clerk', prompt: 'You sell tickets' });
    await post('/api/agents', { name: 'Locomotive fan', prompt: 'You love railways', isPublic: true }, bob);
    await filesOf(
      () => plain,
      () => ada,
    ).add('times.txt', 'The railway leaves at seven.');
    const why = 'matches “trains” by the related word “railway”';
    await eventually(async () => expect((await find('trains')).files).toHaveLength(1));
    const found = await find('trains');
    expect(found.sessions).toMatchObject([{ id: session.id }]);
    expect(found.tasks).toMatchObject([{ id: task.id, sessionId: session.id }]);
    expect(found.memories[0]).toMatchObject({ sessionId: session.id });
    expect(found.files).toMatchObject([{ fileName: 'times.txt', agentId: 'reader' }]);
    expect(found.agents).toMatchObject([{ id: 'railway-clerk' }]);
    expect(
      reasons([found.sessions, found.tasks, found.memories, found.files, found.agents].flatMap(([one]) => one ?? [])),
    ).toEqual([why, why, why, why, why]);
    expect(reasons(found.publicAgents)).toEqual(['matches “trains” by the related word “railways”']);
    expect(found.meaning).toBe('none');
  });

  it('puts what has the very words first, and says so', async () => {
    await say(RAILWAY);
    await say('The trains were late');
    const { memories } = await find('trains');
    expect(reasons(memories.filter(({ kind }) => kind === 'person'))).toEqual([
      'matches “trains”',
      'matches “trains” by the related word “railway”',
    ]);
    const page = await list('q=trains&kind=person');
    expect(page.memories.map(({ text }) => text)).toEqual(['The trains were late', RAILWAY]);
    expect(reasons(page.memories)).toEqual(reasons(memories.filter(({ kind }) => kind === 'person')));
  });

  it('asks every word for itself or a related one', async () => {
    await say(RAILWAY);
    expect((await find('which trains go to basel')).memories.length).toBeGreaterThan(0);
    expect(await find('trains to Zürich')).toMatchObject(NOTHING);
  });

  it('finds a word that is mistyped only where nothing else is found', async () => {
    await say('The trains were late');
    expect(reasons((await find('tarins')).memories)[0]).toBe('matches “tarins”, spelled “trains”');
    expect(reasons((await list('q=tarins')).memories)[0]).toBe('matches “tarins”, spelled “trains”');
    for (const q of ['zzqx', 'qqqqqqq', '💥', 'the']) expect(await find(q)).toMatchObject(NOTHING);
    expect((await list('q=zzqx')).memories).toEqual([]);
  });

  it('gives the list of memories page by page, each once', async () => {
    for (const text of ['The trains were late', 'More trains', RAILWAY, 'A railroad story']) await say(text);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 9; pages += 1) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `q=trains&kind=person&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.memories.map(({ text }) => text));
      cursor = page.nextCursor;
    }
    expect(seen.slice(0, 2)).toEqual(['More trains', 'The trains were late']);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(RAILWAY);
  });
});

describe('with embeddings', () => {
  const MATTER = 'Anybody intolerant avoids the satay';

  it('finds by meaning what was just said, in everything, and says so', async () => {
    const { session, task } = await say(MATTER, ada, 'Sensitivity at the table');
    const found = await findMeant('peanuts');
    expect(found.meaning).toBe('done');
    expect(found.tasks).toMatchObject([{ id: task.id, sessionId: session.id }]);
    expect(found.sessions).toMatchObject([{ id: session.id }]);
    expect(reasons([...found.sessions, ...found.tasks, ...found.memories])).toEqual(
      expect.arrayContaining(['matches “peanuts” by meaning']),
    );
    expect((await list('q=peanuts&kind=person', meant)).memories.map(({ text }) => text)).toEqual([MATTER]);
    expect((await list('q=peanuts&kind=person&pinned=1', meant)).memories).toEqual([]);
    expect((await find('peanuts')).tasks).toEqual([]);
  });

  it('finds what has vectors, and passages of files', async () => {
    await say('Hello');
    await filesOf(
      () => meant,
      () => ada,
    ).add('menu.txt', `${MATTER}.`);
    await embedRest(meant.deps);
    expect((await findMeant('peanuts')).files).toMatchObject([{ fileName: 'menu.txt' }]);
  });

  it('finds nothing for nonsense and nothing of anybody else', async () => {
    await say(MATTER, bob);
    await say('Hello', ada);
    for (const q of ['zzqx', 'peanuts']) expect(await findMeant(q)).toMatchObject(NOTHING);
    expect((await list('q=peanuts', meant)).memories).toEqual([]);
    expect((await findMeant('peanuts', bob)).memories).not.toEqual([]);
  });

  it('loses what is forgotten', async () => {
    await say(MATTER);
    const { memories } = await findMeant('peanuts');
    const ids = memories.map(({ id }) => id);
    const gone = await meant.request('DELETE', '/api/memories', { as: ada, body: { ids } });
    expect(gone.body).toEqual({ forgotten: ids.length });
    expect((await findMeant('peanuts')).memories).toEqual([]);
  });

  it.each(['fail', 'silence', 'too-few', 'too-short'] as const)(
    'has words where the provider gives “%s”, and says that meaning is late',
    async (embeddings) => {
      await say(MATTER);
      provider.behave({ embeddings });
      expect(await find('peanuts', meant)).toEqual({ ...NOTHING, meaning: 'late' });
      expect(await list('q=peanuts', meant)).toEqual({ memories: [], nextCursor: null, meaning: 'late' });
      expect((await find('satay', meant)).memories).not.toEqual([]);
    },
  );
});

it('gives the tool the same, with the reason', async () => {
  await post('/api/agents', { name: 'Reader', prompt: 'p', tools: ['search_memory'] });
  await say(RAILWAY);
  await say(RAILWAY.replace('We', 'They'), bob);
  const { task } = await say('Search my memory for trains');
  const { memories } = task.toolCalls[0].output;
  expect(memories).toContainEqual(expect.objectContaining({ by: 'the person', text: RAILWAY }));
  expect(new Set(memories.map(({ why }: { why: string }) => why))).toEqual(
    new Set(['matches “trains” by the related word “railway”']),
  );
  expect(JSON.stringify(memories)).not.toContain('They');
});
