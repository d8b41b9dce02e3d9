import type { Database } from '../../server/src/platform/database/database.ts';
import { openEmbedded } from '../../server/src/platform/database/pglite.ts';
import { openPostgres } from '../../server/src/platform/database/postgres.ts';
import { silentLog } from '../../server/src/platform/log.ts';
import { createDatabase } from '../restored.ts';
import { type Server, startServer } from '../server.ts';
import { addPayments, addWork } from './books-and-work.ts';
import { connect, operate } from './operated.ts';
import { ask, type Client, type People, type Person, post, type SignIn, signUp, type Workshop } from './people.ts';

const AMOUNTS = { sessions: 200, agents: 200, exchanges: 5000, memories: 3000, favorites: 60 };

const KINDS = ['Field Notes', 'Tax Helper', 'Recipe Keeper', 'Code Reviewer', 'Travel Desk', 'Tutor', 'Archivist'];
/** Names that a layout has to handle: ordinary ones, the longest, one without a place to break, other scripts. */
const AGENT_NAMES = [
  ...KINDS.map((kind) => `${kind} %n`),
  `%n The patient assistant who reads every contract twice and marks what a tired person would have overlook`,
  `%n-${'unbreakable'.repeat(8)}`,
  '%n 旅行の計画を手伝う助手',
  '%n مساعد الرحلات العائلية',
];
const SESSION_NAMES = [
  'Session: Field Notes',
  'Lisbon in May with Nora, and what she must not eat on the way there or on the way back again',
  'Rules of the house',
  'A-title-without-any-place-to-break-it-that-goes-on-and-on-and-on',
  'セッションの名前',
];
const PROMPT =
  'You read what is sent to you with patience, say first what is good about it, then what has to change and why. ';
/** None, a usual one, and the longest possible. */
const DESCRIPTIONS = [
  '',
  'Plans trips around the people who come along',
  'Reads every letter that comes in, sorts it by what has to be done about it and until when, and drafts an answer in your own tone that you can send as it is now.',
];
const QUESTION = 'What did we say about trains, and does https://example.com/a/very/long/address/';
const ANSWER = `We said **trains before planes**, and *never* through the night.

- Book by the end of March.
- Seats by the window, see \`booking-of-seats.ts\`.

\`\`\`ts
export function cheapestConnection(from: Station, to: Station, on: Day, passengers: readonly Passenger[]): Connection | undefined {
  return connections(from, to, on).filter((c) => c.seats >= passengers.length).toSorted((a, b) => a.price - b.price)[0];
}
\`\`\`

| Day | From | To | Changes | Price | What to know about it |
|---|---|---|---|---|---|
| Monday | Lisbon | Porto | 0 | 31 EUR | no reservation needed |
| Tuesday | Porto | Vigo | 1 | 24 EUR | the second train waits for the first |
`;

const HEBREW = `**רכבות לפני מטוסים**, ואף פעם לא בלילה, כפי שכתבת ב־12 במאי (\`booking.ts\`).

- להזמין עד סוף מרץ: https://example.com/trains
- מקומות ליד החלון, או ליד Nora.
  1. קודם ליסבון,
  2. אחר כך Porto.

> אמרת: „לא דרך מדריד!”

\`\`\`ts
const connection = cheapest('Lisboa', 'Porto'); // הזולה ביותר
\`\`\`

| יום | מ | אל | מחיר |
|---|---|---|---|
| שני | ליסבון | פורטו | 31 EUR |
| Tuesday | Porto | Vigo | 24 EUR |`;
const ARABIC = `نعم، **القطار قبل الطائرة**. اقرأ ملف \`README.md\` أولاً:

1. احجز قبل 31 مارس.
2. اختر مقعداً بجانب النافذة (Nora تفضّل ذلك).

- [ ] السؤال عن الحساسية

### Prices
The cheapest ticket is 24 EUR; in Arabic: التذكرة الأرخص.`;

/** One person's agents; public ones with tags for explore. */
async function addAgents(db: Database, uid: string, count: number, isPublic: boolean): Promise<void> {
  await db.executeSql(
    `insert into agents (user_id, id, slug, name, description, prompt, model, tags, temperature, memory_enabled, is_public, created_at)
     select $1, gen_random_uuid(), 'agent-' || i, replace(($2::text[])[(i % $3::int) + 1], '%n', i::text),
            ($7::text[])[((i + 1) % 3) + 1], repeat($4::text, 1 + i % 5), 'gpt-4',
            case when $6::boolean then array['planning', 'tag-' || i % 9, repeat('long', 10)] else array[]::text[] end,
            0.5, true, $6::boolean, now() - make_interval(mins => i)
     from generate_series(1, $5::int) i`,
    [uid, AGENT_NAMES, AGENT_NAMES.length, PROMPT, count, isPublic, DESCRIPTIONS],
  );
}

/** One person's sessions with their agents, newest first. */
async function addSessions(db: Database, uid: string, count: number): Promise<void> {
  await db.executeSql(
    `insert into chat_sessions (user_id, id, agent_id, name, name_source, created_at)
     select $1, gen_random_uuid(), a.id, ($2::text[])[(i % $3::int) + 1], 'person', now() - make_interval(hours => i)
     from generate_series(1, $4::int) i
     join (select id, row_number() over (order by created_at) as n, count(*) over () as total from agents where user_id = $1) a
       on a.n = 1 + i % a.total`,
    [uid, SESSION_NAMES, SESSION_NAMES.length, count],
  );
}

/** One long session: every hundredth answer failed, was stopped or was interrupted. */
async function addExchanges(db: Database, uid: string, sessionId: string, count: number): Promise<void> {
  await db.executeSql(
    `insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, error, token_usage, created_at)
     select s.user_id, gen_random_uuid(), s.id, s.agent_id, a.name, $3::text || i || ' say so?',
            case when i % 7 = 0 then $4::text else 'Yes, in exchange ' || i || ': trains before planes.' end,
            case i % 100 when 97 then 'failed' when 98 then 'cancelled' when 99 then 'interrupted' else 'done' end,
            'gpt-4', case when i % 100 = 97 then 'Failed to run agent task: the provider refused.' end,
            jsonb_build_object('inputTokens', 900 + i % 400, 'outputTokens', 40 + i % 90, 'estimated', i % 50 = 0),
            now() - make_interval(mins => 10 * ($5::int - i) + 10)
     from chat_sessions s join agents a on a.user_id = s.user_id and a.id = s.agent_id, generate_series(1, $5::int) i
     where s.user_id = $1 and s.id = $2`,
    [uid, sessionId, QUESTION, ANSWER, count],
  );
}

/** Answers that read from right to left, with words, code and a table of the other direction. */
async function addRightToLeft(db: Database, uid: string, sessionId: string): Promise<void> {
  await db.executeSql(
    `insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at)
     select s.user_id, gen_random_uuid(), s.id, s.agent_id, a.name, t.question, t.answer, 'done', 'gpt-4', now() - make_interval(mins => 10 - t.n::int)
     from chat_sessions s join agents a on a.user_id = s.user_id and a.id = s.agent_id,
          unnest($3::text[], $4::text[]) with ordinality as t(question, answer, n)
     where s.user_id = $1 and s.id = $2`,
    [uid, sessionId, ['מה אמרנו על רכבות (ועל Nora)?', 'هل نذهب إلى Porto بالقطار؟'], [HEBREW, ARABIC]],
  );
}

async function addMemories(db: Database, uid: string, sessionId: string, count: number): Promise<void> {
  await db.executeSql(
    `insert into memories (user_id, id, agent_id, session_id, kind, text, version, pinned, created_at)
     select s.user_id, gen_random_uuid(), s.agent_id, s.id, case when i % 3 = 0 then 'agent' else 'person' end,
            'Train ' || i || ' goes by way of Porto. ' || repeat('It is worth the longer way. ', i % 6),
            1, i % 50 = 0, now() - make_interval(mins => i)
     from chat_sessions s, generate_series(1, $3::int) i where s.user_id = $1 and s.id = $2`,
    [uid, sessionId, count],
  );
}

async function addFavorites(db: Database, uid: string, creator: string, count: number): Promise<void> {
  await db.executeSql(
    `insert into favorites (user_id, creator_id, agent_id, favorited_at)
     select $1, user_id, id, now() - make_interval(mins => (row_number() over ())::int) from agents
     where user_id = $2 order by created_at limit $3::int`,
    [uid, creator, count],
  );
}

async function newest(db: Database, uid: string, skip = 0): Promise<string> {
  const { rows } = await db.executeSql(
    'select id from chat_sessions where user_id = $1 order by created_at desc limit 1 offset $2',
    [uid, skip],
  );
  return String(rows[0]?.id);
}

/** Fills the database of a stopped server with rows directly: over the API it would take an hour. */
async function fill({ folder, env }: Server, { pro, free, author }: People) {
  const { DATABASE_URL } = env;
  const db =
    DATABASE_URL === undefined
      ? (await openEmbedded(folder, silentLog)).database
      : await openPostgres(DATABASE_URL, silentLog);
  try {
    await addAgents(db, author.uid, AMOUNTS.agents, true);
    await addAgents(db, pro.uid, AMOUNTS.agents, false);
    await addAgents(db, free.uid, 3, false);
    await addSessions(db, pro.uid, AMOUNTS.sessions);
    await addSessions(db, free.uid, 3);
    const [long, short] = [await newest(db, pro.uid), await newest(db, free.uid)];
    const rightToLeft = await newest(db, pro.uid, 1);
    await addRightToLeft(db, pro.uid, rightToLeft);
    await addExchanges(db, pro.uid, long, AMOUNTS.exchanges);
    await addExchanges(db, free.uid, short, 10);
    await addMemories(db, pro.uid, long, AMOUNTS.memories);
    await addFavorites(db, pro.uid, author.uid, AMOUNTS.favorites);
    await addPayments(db, pro.uid);
    await addWork(db, pro.uid);
    await db.executeSql(
      'update profiles p set agents_created = (select count(*) from agents a where a.user_id = p.user_id)',
    );
    await db.executeSql('update usage set session_count = $2 where user_id = $1', [pro.uid, AMOUNTS.sessions]);
    await db.executeSql('update usage set message_count = 10, task_count = 10, session_count = 3 where user_id = $1', [
      free.uid,
    ]);
    await db.executeSql('analyze');
    const { rows } = await db.executeSql(
      `select (select slug from agents where user_id = $1 and id = s.agent_id) as talks from chat_sessions s where s.id = $2`,
      [pro.uid, long],
    );
    return { long, short, rightToLeft, talks: String(rows[0]?.talks) };
  } finally {
    await db.close();
  }
}

/** With `TEST_DATABASE_URL`, on that PostgreSQL. */
async function start(settings: Record<string, string>): Promise<{ server: Server; people: People }> {
  const { TEST_DATABASE_URL: url } = process.env;
  const database = url && { DATABASE_URL: await createDatabase(url), AUTH_SECRET: 's'.repeat(32) };
  const server = await startServer({ ACCOUNT_BOUNDS: '1000', ...database, ...settings });
  const pro = await signUp(server.url, 'Ada Lovelace', 'ada@example.com');
  const free = await signUp(server.url, 'Grace Brewster Murray Hopper', 'grace@example.com');
  const author = await signUp(server.url, 'Zoë-Maximiliane von und zu Langenfeld-Oberursel', 'zoe@example.com');
  await server.admin('grant-pro', 'ada@example.com', '--reason', 'pictures');
  return { server, people: { pro, free, author } };
}

/** The cookies, and what a browser stores after opening the workshop. */
async function signInOf({ client }: Person, origin: string, plan: string): Promise<SignIn> {
  const { cookies } = await client.storageState();
  return { cookies, origins: [{ origin, localStorage: [{ name: 'signed-in', value: plan }] }] };
}

/** A session whose message has two versions, a folder, and a saved prompt that asks for values. */
async function addBranches(client: Client, agentId: string): Promise<string> {
  const { session } = await post(client, '/api/sessions', { agentId, name: 'Two ways to ask' });
  const first = await ask(client, session.id, agentId, 'Where does the night train to Vigo start?');
  await post(client, `/api/sessions/${session.id}/tasks/${first}/edit`, { inputText: 'And the one by day?' });
  await post(client, '/api/folders', { name: 'Journeys with everybody who wants to come along' });
  await post(client, '/api/prompts', { name: 'Connection', text: 'From {{start}} to {{end}}, please.' });
  return session.id;
}

type Addresses = Workshop['addresses'];
type Opened = { workshop: Workshop; stop(): Promise<void> };

/** Starts a server and furnishes it; `arrange` returns the addresses that this makes. */
async function openWorkshop(
  arrange: (server: Server, people: People) => Promise<Partial<Addresses>>,
  settings: Record<string, string> = {},
): Promise<Opened> {
  const { server, people } = await start(settings);
  const { pro, free, author } = people;
  const none = { session: '', limited: '', shared: '', branched: '', rightToLeft: '', invitation: '' };
  const addresses = { ...none, agent: `${author.uid}/agent-6`, person: free.uid, ...(await arrange(server, people)) };
  return {
    workshop: {
      url: server.url,
      people: {
        out: undefined,
        free: await signInOf(free, server.url, 'free'),
        pro: await signInOf(pro, server.url, 'pro'),
      },
      addresses,
    },
    stop: server.stop,
  };
}

async function arrangeEmpty(_server: Server, { pro }: People): Promise<Partial<Addresses>> {
  const { agent } = await post(pro.client, '/api/agents', { name: 'Field Notes', prompt: PROMPT });
  const { session } = await post(pro.client, '/api/sessions', { agentId: agent.id });
  return { session: session.id };
}

async function arrangeFull(server: Server, people: People): Promise<Partial<Addresses>> {
  const { pro, free, author } = people;
  await server.kill();
  const { long, short, rightToLeft, talks } = await fill(server, people);
  await server.restart();
  await ask(pro.client, long, talks, 'My sister Nora is allergic to peanuts.');
  await ask(pro.client, long, talks, 'What is Nora allergic to?');
  await post(pro.client, `/api/sessions/${long}/shares`, { withReceipts: true });
  const { share } = await post(free.client, `/api/sessions/${short}/shares`, {});
  await pro.client.post(`/api/explore/${author.uid}/agent-6/report`, { data: { kind: 'spam' } });
  const branched = await addBranches(pro.client, talks);
  return { session: long, limited: short, shared: share.token, branched, rightToLeft };
}

const [EMPTY, FULL, OPERATED] = ['ATELIER_SHOTS_EMPTY', 'ATELIER_SHOTS_FULL', 'ATELIER_SHOTS_OPERATED'];

/** The workshop of a state of a page; `operated` where it is about what only an operator connects and sets. */
export const workshopOf = (state: string, operated = false): Workshop =>
  JSON.parse(process.env[state === 'empty' ? EMPTY : operated ? OPERATED : FULL] ?? '{}');

/** Starts them before the first picture; every worker visits the same. */
export default async function openWorkshops(): Promise<() => Promise<void>> {
  const connected = await connect();
  const opened: Record<string, Opened> = {
    [EMPTY]: await openWorkshop(arrangeEmpty),
    [FULL]: await openWorkshop(arrangeFull),
    [OPERATED]: await openWorkshop((server, people) => operate(server, people, connected), connected.settings),
  };
  for (const [name, { workshop }] of Object.entries(opened)) process.env[name] = JSON.stringify(workshop);
  return async () => {
    for (const { stop } of Object.values(opened)) await stop();
    await connected.close();
  };
}
