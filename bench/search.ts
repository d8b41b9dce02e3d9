// How long a search takes in one account with many exchanges, through the product's own route, compared with its floor in the same run:
// reading every exchange for the same words.
//   node scripts/run.mjs bench/search.ts [--sizes 1000,10000] [--rounds 100] [--json]
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { testApp } from '../server/src/testing/harness.ts';
import { type Conversation, readConversations } from './conversations.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    rounds: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const OWN = new URL('conversations/own.json', import.meta.url).pathname;

const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

async function timed(run: (i: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = -10; i < ROUNDS; i += 1) {
    const start = performance.now();
    await run(Math.abs(i));
    if (i >= 0) times.push(performance.now() - start);
  }
  return p95(times);
}

const turnsOf = (conversations: Conversation[]) =>
  conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns.map((turn) => turn.text)));

const turns = turnsOf(readConversations(OWN));
const app = await testApp();
const { database } = app.deps;
const ada = await app.signUp('Ada');
await app.grantPro(ada.uid);
await app.request('POST', '/api/agents', { as: ada, body: { name: 'Bench', prompt: 'p' } });
const { rows } = await database.executeSql(`select id from agents limit 1`);
const agentId = rows[0]?.id;

/** Exchanges, forty a session, each with a question and an answer of our own conversations, and their memories. */
async function fill(from: number, to: number): Promise<void> {
  await database.executeSql(
    `with s as (
       insert into chat_sessions (user_id, id, agent_id, name)
       select $1, gen_random_uuid(), $2, 'Session ' || i from generate_series($3::int / 40, $4::int / 40 - 1) i returning id
     ), numbered as (select id, row_number() over () - 1 as n from s),
     t as (
       insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model)
       select $1, gen_random_uuid(), numbered.id, $2, 'Bench', texts.q || ' ' || i, texts.a || ' ' || i, 'done', 'offline'
       from generate_series($3::int, $4::int - 1) i
       join numbered on numbered.n = (i - $3::int) / 40
       join (select (value->>0) as q, (value->>1) as a, ordinality - 1 as n
             from jsonb_array_elements($5::jsonb) with ordinality) texts on texts.n = i % $6::int
       returning id, session_id, input_text, message
     )
     insert into memories (user_id, id, agent_id, session_id, task_id, kind, text, version)
     select $1, gen_random_uuid(), $2, session_id, id, 'person', input_text, 1 from t
     union all select $1, gen_random_uuid(), $2, session_id, id, 'agent', message, 1 from t`,
    [
      ada.uid,
      agentId,
      from,
      to,
      JSON.stringify(turns.map((text, i) => [text, turns[(i * 7 + 3) % turns.length]])),
      turns.length,
    ],
  );
}

/** Two words of a turn, the second only a prefix; every third search is one of the commonest words. */
function typed(i: number): string {
  if (i % 3 === 0) return ['really', 'think', 'good', 'time'][i % 4] ?? '';
  const words = (turns[(i * 31) % turns.length] ?? '').match(/\p{L}{4,}/gu) ?? ['train'];
  return `${words[0]} ${words.at(-1)?.slice(0, 3)}`;
}

const measured: Record<string, number>[] = [];
let filled = 0;
for (const size of values.sizes.split(',').map(Number)) {
  await fill(filled, size);
  filled = size;
  measured.push({
    exchanges: size,
    floor: await timed((i) => {
      const [first = '', last = ''] = typed(i).split(' ');
      const like = [`%${first}%`, `%${last}%`];
      return database.executeSql(
        `select id from tasks where user_id = $1 and (input_text || ' ' || message) ilike all ($2) order by created_at desc limit 6`,
        [ada.uid, like],
      );
    }),
    search: await timed(async (i) => {
      const { status } = await app.request('GET', `/api/search?q=${encodeURIComponent(typed(i))}`, { as: ada });
      if (status !== 200) throw new Error(`the search answered ${status}`);
    }),
  });
}
console.log(`search: p95 of ${ROUNDS} in ms; words of ${turns.length} different turns`);
console.table(
  measured.map(({ exchanges, floor = 0, search = 0 }) => ({
    exchanges,
    floor: floor.toFixed(1),
    search: search.toFixed(1),
    ratio: (search / floor).toFixed(2),
  })),
);
if (values.json) console.log(JSON.stringify(measured));
await app.close();
