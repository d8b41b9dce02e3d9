import { eq } from 'drizzle-orm';
import { strToU8, zipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { effort } from '../../../testing/effort.ts';
import { emptyApp, type TestUser } from '../../../testing/harness.ts';
import { importingPast } from '../../../testing/importing-past.ts';
import { chatGptExport, chatGptTalk, claudeTalk, madeTalk } from '../../../testing/past-exports.ts';
import { tasks } from '../../runs/runs.table.ts';

let ada: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});
const { call, upload, preview, run } = importingPast(
  () => app,
  () => ada,
);

const UNKNOWN = 'This file isn’t an export of ChatGPT, Claude, LibreChat or Open WebUI.';
const DAMAGED = 'This archive is damaged or incomplete. Export it once more and try again.';
const TOO_MUCH = 'This archive holds more than this server takes in one import.';
const EMPTY = 'No conversation in this export can be imported.';
const NOT_OURS = 'This is not an account archive of Atelier.';

const HELLO = madeTalk(['user', 'Hello'], ['assistant', 'Hi']);
const conversations = (text: string) => zipSync({ 'conversations.json': strToU8(text) });
/** An export of ChatGPT whose nodes are these. */
const nodes = (mapping: unknown) => JSON.stringify([{ ...chatGptTalk(HELLO), mapping }]);
const node = (parent: unknown, role = 'user', parts: unknown = ['x']) => ({
  parent,
  message: { author: { role }, content: { content_type: 'text', parts } },
});

/** A zip whose directory names another unpacked size for its only part. */
function withSize(data: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(data);
  bytes.writeUInt32LE(size, bytes.lastIndexOf(name) - 46 + 24);
  return bytes;
}

/** So many messages, in conversations of this length. */
const crowd = (count: number, length = count) => {
  const messages = Array.from({ length }, (_, n) => `{"uuid":"${n}","sender":"human","text":"x"}`).join(',');
  const talks = Array.from({ length: count / length }, (_, n) => `{"uuid":"${n}","chat_messages":[${messages}]}`);
  return conversations(`[${talks.join(',')}]`);
};

describe('an export is refused, and nothing is stored,', () => {
  it.each<[string, () => Uint8Array | string, string]>([
    ['which is of another program', () => '{"messages":[{"role":"user"}]}', UNKNOWN],
    ['which is a list of anything', () => '[1,null,"a",[[]],{"mapping":7}]', UNKNOWN],
    ['which ends before its end', () => JSON.stringify([chatGptTalk(HELLO)]).slice(0, -20), DAMAGED],
    ['in a zip, which ends before its end', () => conversations('[{"mapping":{'), DAMAGED],
    ['which unpacks without end', () => withSize(chatGptExport([HELLO]), 'conversations.json', 0x3000_0000), TOO_MUCH],
    ['which is larger than it says', () => withSize(chatGptExport([HELLO]), 'conversations.json', 10), DAMAGED],
    [
      'where nobody says anything',
      () => nodes({ a: node(null, 'system'), b: {}, c: null, d: node('a', 'tool') }),
      EMPTY,
    ],
    ['whose messages are a circle', () => nodes({ a: node('b'), b: node('a') }), EMPTY],
    ['whose message follows itself', () => nodes({ a: node('a') }), EMPTY],
    [
      'with more messages than one import takes',
      // By day in conversations that are too long themselves, of which nothing is written before.
      () => crowd(effort(310_000, 1_000_000), effort(31_000, 10_000)),
      'This export has more than 10,000 conversations or 300,000 messages, the most that one import takes.',
    ],
    ['with more messages in one than a conversation has', () => crowd(effort(40_000, 1_000_000)), EMPTY],
    ['of the deepest values', () => `[${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}]`, EMPTY],
    ['of deep objects', () => `{"mapping":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`, EMPTY],
    ['whose file’s name leads out of its folder', () => zipSync({ '../conversations.json': strToU8('[]') }), NOT_OURS],
    ['which is a zip of nothing', () => conversations('[]'), NOT_OURS],
  ])('%s', async (_what, make, sentence) => {
    const { status, body } = await upload(make());
    expect([status, body.error]).toMatchObject([400, { code: 'invalid_input', field: 'file', message: sentence }]);
    expect((await app.request('GET', '/api/imports', { as: ada })).body.import).toBeNull();
  });
});

it('takes wrong types, dates that are none and foreign characters as far as they make sense', async () => {
  const at = (value: unknown, text: unknown) => ({
    parent: null,
    message: { author: { role: 'user' }, create_time: value, content: { content_type: 'text', parts: text } },
  });
  const mapping = {
    future: at(99_999_999_999, ['From the future']),
    never: at('the day after', ['Never']),
    negative: at(-5, ['Before all time']),
    endless: at(1e308, ['Endless']),
    unstorable: at(1_700_000_000, ['a\0b \uD800 c']),
    script: at(1_700_000_001, ['<script>alert(1)</script><img src=x onerror=alert(1)>']),
    types: at({}, [7, null, { a: 1 }, ['x']]),
    strange: at(1, 'no list'),
    ['__proto__']: at(1, ['proto']),
    constructor: at(1, ['constructor']),
  };
  const data = `[${nodes(mapping).slice(1, -1)},${JSON.stringify({ ...chatGptTalk(HELLO), title: { a: 1 }, create_time: 'x', conversation_id: 7, id: [] })}]`;
  const { path, past } = await preview(data);
  expect(past.conversations.map(({ title }) => title).toSorted()).toEqual(['Conversation', 'Trips']);
  const now = Date.now();
  for (const { from, to } of past.conversations) {
    expect(Date.parse(from)).toBeGreaterThan(Date.UTC(2000, 0));
    expect(Date.parse(to)).toBeLessThan(now);
  }
  await run(path);
  const rows = await app.deps.db.select().from(tasks).where(eq(tasks.userId, ada.uid));
  const words = rows.map(({ inputText }) => inputText);
  expect(words).toEqual(
    expect.arrayContaining(['ab \uFFFD c', '<script>alert(1)</script><img src=x onerror=alert(1)>', 'constructor']),
  );
  expect(rows.every(({ createdAt }) => createdAt.getTime() < now && createdAt.getTime() > Date.UTC(2000, 0))).toBe(
    true,
  );
  expect(rows.every(({ readUntrusted, toolCalls }) => readUntrusted && toolCalls.length === 0)).toBe(true);
});

it('leaves out conversations with ids that no program makes, and takes the ones beside them', async () => {
  const talk = (conversationId: string, messageId: string, title = 'Kiln') => {
    const answer = { messageId: '1', isCreatedByUser: false, text: 'Hi' };
    return {
      conversationId,
      title,
      messages: [{ messageId, isCreatedByUser: true, text: 'Hello', children: [answer] }],
    };
  };
  const [long, half] = ['x'.repeat(201), '\uD800'];
  const bad = [talk('a', long), talk(long, '0'), talk('b', half), talk(half, '0')];
  const untitled = talk('', '0', `${half}${'x'.repeat(10_000)}`);
  const { found, past } = await preview(JSON.stringify([...bad, talk('c', '0'), untitled]));
  expect(found.notes).toEqual(['4 entries are left out: not a conversation of this program.']);
  expect(past.conversations.map(({ messages }) => messages)).toEqual([2, 2]);
});

it('takes each id once, and says what it leaves out', async () => {
  const [talk] = [claudeTalk(HELLO)];
  const again = { ...talk, chat_messages: [...talk.chat_messages, ...talk.chat_messages] };
  const circle = { ...talk, uuid: 'circle', name: 'Circle' };
  const looped = { ...talk.chat_messages[0], uuid: 'c1', parent_message_uuid: 'c2' };
  circle.chat_messages = [
    ...talk.chat_messages,
    looped as never,
    { ...looped, uuid: 'c2', parent_message_uuid: 'c1' } as never,
  ];
  const other = chatGptTalk(HELLO);
  const empty = { ...talk, uuid: 'empty', chat_messages: [] };
  const { found, past } = await preview(JSON.stringify([again, talk, circle, empty, other]));
  expect(past.conversations.map(({ messages }) => messages)).toEqual([2, 2]);
  expect(found.notes.toSorted()).toEqual([
    '1 conversation is left out: already in this export.',
    '1 conversation is left out: nothing was said.',
    '1 entry is left out: not a conversation of this program.',
    '4 messages are left out: repeated, or following only each other.',
  ]);
});

it('cuts messages that are longer than one can be here, and names that are longer than a title', async () => {
  const talk = {
    ...madeTalk(['user', 'x'.repeat(40_000)], ['assistant', 'Hi']),
    title: '../../etc/passwd '.repeat(50),
  };
  const { path, found, past } = await preview(chatGptExport([talk]));
  expect(found.notes).toEqual(['1 message is shortened: too long for one message here.']);
  expect(past.conversations[0]?.title.length).toBeLessThanOrEqual(200);
  await run(path);
  const [row] = await app.deps.db.select().from(tasks).where(eq(tasks.userId, ada.uid));
  expect(row?.inputText).toHaveLength(32_000);
  expect((await call(ada, 'GET', '/api/sessions')).sessions).toHaveLength(1);
});

it('does not repeat a long beginning in thousands of branches', async () => {
  const mapping: Record<string, unknown> = { first: node(null, 'user', ['x'.repeat(30_000)]) };
  for (let n = 0; n < 5_000; n += 1) mapping[`a${n}`] = node('first', 'assistant', ['y']);
  expect((await upload(nodes(mapping))).body.error.message).toBe(EMPTY);
});
