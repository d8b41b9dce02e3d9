import type { PastProgram } from '@atelier/contract/transfer/imports';
import { strToU8, zipSync } from 'fflate';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { branching } from '../../../testing/branching.ts';
import { zipOf } from '../../../testing/documents.ts';
import { effort } from '../../../testing/effort.ts';
import { emptyApp, type TestUser } from '../../../testing/harness.ts';
import { importingPast } from '../../../testing/importing-past.ts';
import { jobsEnd } from '../../../testing/jobs-end.ts';
import { countsOf } from '../../../testing/moving.ts';
import {
  chatGptExport,
  chatGptTalk,
  childrenOf,
  claudeTalk,
  iso,
  type MadeMessage,
  type MadeTalk,
  madeTalk,
  makeTalks,
} from '../../../testing/past-exports.ts';

let ada: TestUser;
const app = await emptyApp({ env: { FACTS: 'rules' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});
const { call, preview, run, rowsOf, undo } = importingPast(
  () => app,
  () => ada,
);

/** How many exchanges they become: one for each answer, and one for each message without. */
function exchangesOf(talks: readonly MadeTalk[]): number {
  return talks.reduce((sum, { messages }) => {
    const answered = new Set(messages.flatMap(({ role, parent }) => (role === 'assistant' ? [parent] : [])));
    const bare = messages.filter(({ id, role }) => role === 'user' && !answered.has(id)).length;
    return sum + bare + messages.filter(({ role }) => role === 'assistant').length;
  }, 0);
}

const libreChatMessage = ({ id, parent, role, text, at }: MadeMessage) => ({
  messageId: id,
  parentMessageId: parent ?? '00000000-0000-0000-0000-000000000000',
  isCreatedByUser: role === 'user',
  sender: role === 'user' ? 'User' : 'GPT-4',
  text,
  createdAt: iso(at),
});

/** One conversation a file, as a list or, `recursive`, each message within the one before it. */
function libreChatTalk(talk: MadeTalk, recursive: boolean): string {
  const head = { conversationId: talk.id, title: talk.title, endpoint: 'openAI', branches: true, recursive };
  if (!recursive) return JSON.stringify({ ...head, messages: talk.messages.map(libreChatMessage) });
  // Written by hand: `JSON.stringify` has no stack for thousands of messages within each other.
  const children = childrenOf(talk);
  let text = `${JSON.stringify(head).slice(0, -1)},"messagesTree":[`;
  const open: (MadeMessage | string)[] = (children.get(null) ?? []).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      text += next;
      continue;
    }
    const below = (children.get(next.id) ?? []).toReversed();
    text += `${JSON.stringify(libreChatMessage(next)).slice(0, -1)},"children":[`;
    open.push(open.length > 0 && typeof open.at(-1) !== 'string' ? ']},' : ']}', ...below);
  }
  return `${text}]}`;
}

const openWebUiTalk = (talk: MadeTalk) => {
  const children = childrenOf(talk);
  const messages = talk.messages.map(({ id, parent, role, text, at }) => {
    const childrenIds = (children.get(id) ?? []).map((one) => one.id);
    return [id, { id, parentId: parent, childrenIds, role, content: text, timestamp: at, model: 'llama3' }];
  });
  const history = { messages: Object.fromEntries(messages), currentId: talk.current };
  const created_at = talk.messages[0]?.at;
  return { id: talk.id, title: talk.title, created_at, chat: { title: talk.title, history, messages: [] } };
};

const claudeExport = (talks: MadeTalk[]) =>
  zipOf({ 'conversations.json': JSON.stringify(talks.map(claudeTalk)), 'users.json': '[]', 'projects.json': '[]' });
const openWebUiExport = (talks: MadeTalk[]) => Buffer.from(JSON.stringify(talks.map(openWebUiTalk)));

const TALKS = makeTalks(effort(300, 10_000), 250);
const [LONG] = makeTalks(effort(300, 10_000), 10_000);
const LARGE: [PastProgram, string, MadeTalk[], () => Uint8Array][] = [
  ['chatgpt', 'ChatGPT', TALKS, () => chatGptExport(TALKS)],
  ['claude', 'Claude', TALKS, () => claudeExport(TALKS)],
  ['open-webui', 'Open WebUI', TALKS, () => openWebUiExport(TALKS)],
  ...[true, false].map((recursive): (typeof LARGE)[number] => {
    const talks = LONG === undefined ? [] : [LONG];
    return ['librechat', 'LibreChat', talks, () => strToU8(libreChatTalk(talks[0] as MadeTalk, recursive))];
  }),
];

describe('an export with branches', () => {
  it.each(LARGE)(
    'of %s comes whole, step by step, and undone it leaves nothing',
    { timeout: 600_000 },
    async (...of) => {
      const [program, name, talks, make] = of;
      const before = await rowsOf(ada);
      const { path, found, past } = await preview(make());
      const messages = talks.reduce((sum, one) => sum + one.messages.length, 0);
      expect([found.program, past.program]).toEqual([program, program]);
      expect(past.conversations).toHaveLength(talks.length);
      expect(past.conversations.reduce((sum, one) => sum + one.messages, 0)).toBe(messages);
      expect(past.conversations.every(({ branches }) => branches)).toBe(true);
      expect(found.notes).toEqual([]);

      const notices = vi.spyOn(app.deps.live, 'notify');
      const report = await run(path);
      const exchanges = exchangesOf(talks);
      expect(countsOf(report)).toMatchObject({
        agents: [1, 1, 0, 0],
        sessions: [talks.length, talks.length, 0, 0],
        exchanges: [exchanges, exchanges, 0, 0],
      });
      for (const { found: all, imported } of report.counts) expect(imported).toBe(all);
      // Each portion of rows is a step that open pages are told of.
      const steps = notices.mock.calls.filter(([, , topic]) => topic === 'account').length;
      expect(steps).toBeGreaterThan(exchanges / 100);
      notices.mockRestore();
      const { agents } = await call(ada, 'GET', '/api/agents');
      expect(agents).toMatchObject([{ name, isPublic: false }]);

      await undo(path);
      await call(ada, 'DELETE', path);
      expect(await rowsOf(ada)).toEqual(before);
      expect((await call(ada, 'GET', '/api/me')).usage.sessionCount).toBe(0);
    },
  );

  it('shows the path that was shown there, and the others one step aside', async () => {
    const [made] = makeTalks(30, 30);
    const { path } = await preview(chatGptExport([made as MadeTalk]));
    await run(path);
    const { sessions } = await call(ada, 'GET', '/api/sessions');
    expect(sessions).toMatchObject([{ name: 'Talk 0' }]);
    const { agents } = await call(ada, 'GET', '/api/agents');
    const copy = branching(() => ({ app, person: ada, sessionId: sessions[0].id, agentId: agents[0].id }));
    const shown = await copy.path();
    const byId = new Map(made?.messages.map((one) => [one.id, one]));
    const expected: string[] = [];
    for (let one = byId.get(made?.current ?? ''); one; one = byId.get(one.parent ?? ''))
      if (one.role === 'user') expected.unshift(one.text);
    expect(shown.map(({ inputText }) => inputText)).toEqual(expected);
    expect(shown.some(({ siblings }) => siblings.length === 2)).toBe(true);
    expect(shown[0]).toMatchObject({ agentName: 'ChatGPT', model: 'gpt-4o', status: 'done' });
  });
});

it('brings only what was chosen, to the agent that was chosen, and undone leaves that one alone', async () => {
  await call(ada, 'POST', '/api/agents', { name: 'Field Notes', prompt: 'You keep notes.' });
  const { session } = await call(ada, 'POST', '/api/sessions', { agentId: 'field-notes', name: 'Mine' });
  await call(ada, 'POST', '/api/runAgentTask', {
    sessionId: session.id,
    agentId: 'field-notes',
    inputText: 'Hi there.',
  });
  await jobsEnd(app);
  const before = await rowsOf(ada);
  const { path, past } = await preview(claudeExport(makeTalks(40, 10)));
  // The newest is the first of the list.
  expect(past.conversations.map(({ title }) => title)).toEqual(['Talk 3', 'Talk 2', 'Talk 1', 'Talk 0']);
  const choice = { agentId: 'field-notes', conversations: [1, 3], facts: [] };
  const { import: chosen } = await call(ada, 'PUT', `${path}/past`, choice);
  expect(countsOf(chosen)).toMatchObject({ agents: [1, 0, 0, 0], sessions: [2, 0, 0, 0], exchanges: [10, 0, 0, 0] });
  const report = await run(path);
  expect(countsOf(report)).toMatchObject({ agents: [1, 0, 1, 0], sessions: [2, 2, 0, 0], exchanges: [10, 10, 0, 0] });
  const { sessions } = await call(ada, 'GET', '/api/sessions');
  expect(sessions.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Mine', 'Talk 0', 'Talk 2']);
  expect((await app.request('PUT', `${path}/past`, { as: ada, body: choice })).status).toBe(409);
  // What is added to them goes too.
  const added = sessions.find(({ name }: { name: string }) => name === 'Talk 2');
  await call(ada, 'POST', '/api/runAgentTask', { sessionId: added.id, agentId: 'field-notes', inputText: 'And now?' });
  await jobsEnd(app);
  await undo(path);
  expect(await rowsOf(ada)).toEqual(before);
  expect((await call(ada, 'GET', '/api/agents')).agents).toHaveLength(1);
});

it('does not double: a second import finds what the first one brought, and undoing it leaves that', async () => {
  const data = claudeExport(makeTalks(40, 20));
  await run((await preview(data)).path);
  const before = await rowsOf(ada);
  const { path } = await preview(data);
  const again = await run(path);
  for (const { imported, found, present } of again.counts) expect([imported, present]).toEqual([0, found]);
  await undo(path);
  expect(await rowsOf(ada)).toEqual(before);
});

it('keeps the agent that it made while that has other sessions', async () => {
  const { path } = await preview(claudeExport([madeTalk(['user', 'Hello'], ['assistant', 'Hi'])]));
  await run(path);
  await call(ada, 'POST', '/api/sessions', { agentId: 'claude', name: 'New' });
  await undo(path);
  expect((await call(ada, 'GET', '/api/sessions')).sessions).toMatchObject([{ name: 'New' }]);
  expect((await call(ada, 'GET', '/api/agents')).agents).toMatchObject([{ name: 'Claude' }]);
});

it('keeps a free account’s limit: the newest that were chosen come', async () => {
  const bob = await app.signUp('Bob');
  const { path } = await preview(claudeExport(makeTalks(50, 10)), bob);
  const report = await run(path, bob);
  expect(countsOf(report)).toMatchObject({ sessions: [5, 3, 0, 2] });
  expect(report.notes.join(' ')).toContain('Free accounts are limited to 3 sessions');
  const { sessions } = await call(bob, 'GET', '/api/sessions');
  expect(sessions.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Talk 2', 'Talk 3', 'Talk 4']);
});

describe('facts', () => {
  const stated = () =>
    chatGptExport([
      madeTalk(
        ['user', 'Hi! I live in Lisbon. How is the weather?'],
        ['assistant', 'You live in Rome, I think.'],
        ['user', 'My sister is called Mia. I moved to Porto last month.'],
        ['assistant', 'Good to know.'],
      ),
    ]);

  it('are proposed with their sentences, without what is no longer true, and stored only where ticked', async () => {
    const { path, past } = await preview(stated());
    expect(past.facts.map(({ sentence }) => sentence)).toContain('My sister is called Mia.');
    expect(past.facts.map(({ text }) => text).join(' ')).not.toMatch(/Lisbon|Rome/u);
    const place = past.facts.findIndex(({ text }) => text.includes('Mia'));
    expect(past.facts[place]).toMatchObject({ conversation: 0, timestamp: '2023-11-14T22:13:22.000Z' });
    await call(ada, 'PUT', `${path}/past`, { agentId: null, conversations: [0], facts: [place] });
    expect(countsOf(await run(path))).toMatchObject({ facts: [1, 1, 0, 0] });
    await jobsEnd(app);
    const { facts } = await call(ada, 'GET', '/api/facts');
    expect(facts).toMatchObject([{ text: past.facts[place]?.text, source: { sessionName: 'Trips' } }]);
    await undo(path);
    expect((await call(ada, 'GET', '/api/facts')).facts).toEqual([]);
  });

  it('are never stored unasked, and not looked for where the person wants none', async () => {
    const { path } = await preview(stated());
    await run(path);
    await jobsEnd(app);
    expect((await call(ada, 'GET', '/api/facts')).facts).toEqual([]);
    // What was said is remembered all the same.
    expect((await call(ada, 'GET', '/api/memories?q=Porto')).memories).toHaveLength(1);
    await call(ada, 'PUT', '/api/facts/settings', { distil: false });
    expect((await preview(stated())).past.facts).toEqual([]);
  });
});

it('reads an export of ChatGPT in several files, and leaves out instructions, tools and hidden messages', async () => {
  const made = chatGptTalk(madeTalk(['user', 'Hello'], ['assistant', 'Searching.'], ['assistant', 'Found.']));
  const message = (change: object) => ({
    author: { role: 'tool' },
    content: { content_type: 'text', parts: ['x'] },
    ...change,
  });
  const node = (id: string, parent: string, json: object) => ({ [id]: { id, parent, children: [], message: json } });
  const picture = { content_type: 'multimodal_text', parts: [{ asset_pointer: 'file-1' }, 'Look'] };
  const mapping = {
    ...made.mapping,
    ...node('tool', 'm2', message({})),
    ...node(
      'hidden',
      'tool',
      message({ author: { role: 'user' }, metadata: { is_visually_hidden_from_conversation: true } }),
    ),
    ...node('call', 'hidden', message({ author: { role: 'assistant' }, recipient: 'python' })),
    ...node('more', 'call', message({ author: { role: 'user' }, content: picture })),
  };
  const second = { ...made, conversation_id: 'two', title: 'Second' };
  const files = {
    'conversations-000.json': [{ ...made, mapping }],
    'conversations-001.json': [second],
    'user.json': {},
  };
  const data = zipSync(
    Object.fromEntries(Object.entries(files).map(([name, json]) => [name, strToU8(JSON.stringify(json))])),
  );
  const { path, found, past } = await preview(data);
  expect(past.conversations.map(({ messages }) => messages).toSorted()).toEqual([3, 4]);
  expect(found.notes).toEqual(['1 picture or file is not imported: only words are.']);
  await run(path);
  const { sessions } = await call(ada, 'GET', '/api/sessions');
  const trips = sessions.find(({ name }: { name: string }) => name === 'Trips');
  const { tasks } = await call(ada, 'GET', `/api/sessions/${trips.id}/tasks`);
  expect(
    tasks.map(({ inputText, message: said, status }: Record<string, string>) => [inputText, said, status]),
  ).toEqual([
    ['Hello', 'Searching.\n\nFound.', 'done'],
    ['Look', '', 'cancelled'],
  ]);
});
