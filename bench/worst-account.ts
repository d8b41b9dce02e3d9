// How long everyone waits while one account does its worst: the slowest /healthz during each attack, beside an idle server's. And how long a
// stranger waits for the same that a few accounts ask for at their worst.
// And how long while an account with very many rows, or its agent, is deleted.
//   node scripts/run.mjs bench/worst-account.ts [--seconds 6] [--databases embedded,postgres] [--stranger | --deletion]
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startServer } from '../e2e/server.ts';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from '../scripts/postgres.ts';
import { deletionRows } from './worst-deletion.ts';
import { strangerRows } from './worst-stranger.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    databases: { type: 'string', default: 'embedded,postgres' },
    stranger: { type: 'boolean', default: false },
    deletion: { type: 'boolean', default: false },
  },
});
const LASTS_MS = Number(values.seconds) * 1000;
const PROMISED_MS = 250;
const FAVORITES = 60;

const postgres = values.databases.includes('postgres');
if (postgres && values.databases.includes('embedded')) {
  // Each in a process of its own: they share nothing but this file.
  const of = (kind: string) => [...process.argv.slice(1), '--databases', kind];
  const ended = ['embedded', 'postgres'].map(
    (kind) => spawnSync(process.execPath, of(kind), { stdio: 'inherit' }).status,
  );
  process.exit(ended.every((status) => status === 0) ? 0 : 1);
}
const bin = postgres ? findOrInstallPostgres() : undefined;
if (postgres && bin === undefined) throw new Error(POSTGRES_ADVICE);
const temporary = bin === undefined ? undefined : await startPostgres(bin, { durable: true });
if (temporary !== undefined) process.env.DATABASE_URL = temporary.url;
if (temporary !== undefined) process.env.AUTH_SECRET = 'a secret for the bench alone, of enough characters';
console.log(`On ${postgres ? 'PostgreSQL' : 'the embedded database'}:`);

const server = await startServer({ OFFLINE_PAUSE_MS: '0' });
const probe = new Worker(new URL('./healthz-probe.ts', import.meta.url), { workerData: { url: server.url } });
const measured = () =>
  new Promise<number[]>((done) => {
    probe.once('message', done);
    probe.postMessage('give');
  });

let cookie = '';
const statuses = new Map<number, number>();
async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { origin: server.url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  return answer;
}
const read = async (answer: Promise<Response>) => (await answer).text();

async function signUp() {
  const email = `worst-${randomUUID()}@example.com`;
  const answer = await call('POST', '/auth/sign-up/email', { name: 'Worst', email, password: 'a long password' });
  cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  await server.admin('grant-pro', email, '--reason', 'bench');
}

/** Runs `width` attacks at once until the time is over. */
async function keepAt(width: number, attack: (i: number, over: AbortSignal) => Promise<unknown>): Promise<void> {
  const over = AbortSignal.timeout(LASTS_MS);
  let count = 0;
  const one = async () => {
    while (!over.aborted) {
      count += 1;
      // Refusals have a status; other failures are counted as broken off.
      await attack(count, over).catch(() => over.aborted || statuses.set(0, (statuses.get(0) ?? 0) + 1));
    }
  };
  await Promise.all(Array.from({ length: width }, one));
}

/** Opens connections, keeps them until the time is over, and then closes them. */
async function holdOpen(count: number, path: string): Promise<void> {
  const over = new AbortController();
  const opened = Array.from({ length: count }, () =>
    call('GET', path, undefined, over.signal).then(
      (answer) => answer.text(),
      () => {},
    ),
  );
  await new Promise((done) => setTimeout(done, LASTS_MS));
  over.abort();
  await Promise.all(opened.map((stream) => stream?.catch(() => {})));
}

const account = () => (JSON.parse(meText) as { user: { uid: string } }).user.uid;
const words = 'The kiln in Faro is fired on Mondays, with oak from the valley. '.repeat(300);
await signUp();
const meText = await read(call('GET', '/me'));
for (let i = 0; i < 50; i += 1) {
  await read(call('POST', '/agents', { name: `Agent ${i}`, prompt: words, isPublic: true }));
}

const MEGABYTES = 9;
const heap = (part: string) => part.repeat((MEGABYTES * 1024 * 1024) / part.length);
/** Each of these was once slow to read, to store or to find. */
const HOSTILE_FILES: [name: string, text: string][] = [
  ['headings.md', heap('# a\n')],
  ['words.txt', heap('a b c d e f g h ')],
  ['nested.html', heap('<div>')],
  ['cells.csv', heap('1,')],
  ['blanks.md', heap('                                x\n')],
];
async function upload(i: number, signal?: AbortSignal): Promise<string> {
  const [name, text] = HOSTILE_FILES[i % HOSTILE_FILES.length] ?? ['', ''];
  const body = new FormData();
  body.append('file', new Blob([text]), `${i}-${name}`);
  const answer = await fetch(`${server.url}/api/agents/agent-${i % 50}/files`, {
    method: 'POST',
    headers: { origin: server.url, cookie },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  return answer.text();
}
const HOSTILE_MESSAGES = [
  `${' '.repeat(31_000)}x`,
  '(('.repeat(15_000),
  'What is 1+'.repeat(3_000),
  'My my '.repeat(5_000),
];
const sessionIds: string[] = [];
for (let i = 0; i < 20; i += 1) {
  const { session } = JSON.parse(await read(call('POST', '/sessions', { agentId: `agent-${i}` })));
  sessionIds.push(session.id);
}
const say = (i: number) => {
  const inputText = HOSTILE_MESSAGES[i % HOSTILE_MESSAGES.length];
  const at = i % sessionIds.length;
  return read(call('POST', '/runAgentTask', { sessionId: sessionIds[at], agentId: `agent-${at}`, inputText }));
};

/** Each attack is one row. */
const ATTACKS: [name: string, attack: () => Promise<void>][] = [
  ['nothing (the floor)', () => new Promise((done) => setTimeout(done, LASTS_MS))],
  ['2,000 live streams tried', () => holdOpen(2_000, '/live')],
  ['exports, 20 at a time', () => keepAt(20, (_, over) => read(call('GET', '/export', undefined, over)))],
  ['searches, 50 at a time', () => keepAt(50, (i, over) => read(call('GET', `/search?q=kiln+${i}`, undefined, over)))],
  [
    'favorites on and off, 50 at a time',
    () =>
      keepAt(50, (i) =>
        read(call(i % 2 === 0 ? 'PUT' : 'DELETE', `/favorites/${account()}/agent-${i % Math.min(FAVORITES, 50)}`)),
      ),
  ],
  [
    'agents of 20 kB, 50 at a time',
    () => keepAt(50, (i) => read(call('POST', '/agents', { name: `More ${i}`, prompt: words }))),
  ],
  ['hostile messages, 20 at a time', () => keepAt(20, say)],
  ['hostile files of 9 MB, 3 at a time', () => keepAt(3, upload)],
  [
    'the list of memories, 50 at a time',
    () => keepAt(50, (_, over) => read(call('GET', '/memories?q=x', undefined, over))),
  ],
  [
    'sign-ups, 50 at a time',
    () =>
      keepAt(50, (i) => {
        const email = `flood-${i}-${randomUUID()}@example.com`;
        return read(call('POST', '/auth/sign-up/email', { name: 'Flood', email, password: 'a long password' }));
      }),
  ],
];

try {
  const rows = [];
  await measured();
  for (const [name, attack] of values.stranger || values.deletion ? [] : ATTACKS) {
    statuses.clear();
    await attack();
    const took = (await measured()).toSorted((a, b) => a - b);
    const [median, slowest] = [took[Math.floor(took.length / 2)] ?? Number.NaN, took.at(-1) ?? Number.NaN];
    rows.push({
      'while one account does': name,
      'median /healthz': `${median.toFixed(1)} ms`,
      'slowest /healthz': `${slowest.toFixed(0)} ms`,
      kept: slowest < PROMISED_MS,
      answers: [...statuses].map(([status, count]) => `${count} × ${status === 0 ? 'broken off' : status}`).join(', '),
    });
  }
  if (rows.length > 0) console.log(`Asked every 10 ms; promised is under ${PROMISED_MS} ms.`);
  if (rows.length > 0) console.table(rows);
  console.log('A stranger may wait 100 ms longer than at an idle server’s worst.');
  if (!values.deletion) console.table(await strangerRows(server, LASTS_MS));
} finally {
  await probe.terminate();
  await server.stop();
}
if (!values.stranger) console.table(await deletionRows(LASTS_MS));
await temporary?.stop();
