// How long everyone waits at worst while one account does its worst, while ten accounts ask for what a stranger wants too, and while a very
// large account or its agent is deleted. The floor is the same wait at an idle server.
// Ends with 1 when one waited longer than promised.
//   npm run bench:worst -- [--only deleted] [--seconds 6] [--databases embedded,postgres] [--json]
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PASSWORD } from '../server/src/testing/harness.ts';
import { formOf, requestOf } from '../server/src/testing/requests.ts';
import { makeAccounts } from './exchange/accounts.ts';
import type { Account } from './exchange/client.ts';
import { BOTH, type CreateDatabase, measureOn, withServer } from './exchange/measured-process.ts';
import { fillAccount } from './large-account.ts';
import { type Figure, median, readOptions, report } from './report.ts';
import type { Wish } from './wait-probe.ts';

const values = readOptions({ only: '', seconds: '6', databases: BOTH });
const LASTS_MS = Number(values.seconds) * 1000;
/** What is left of a deleted account is gone after this time. */
const DELETING_MS = 60_000;
/** Nobody waits longer for `/healthz` because of one account; others may wait so much longer than at an idle server's worst. */
const [PROMISED_MS, MORE_MS] = [250, 100];

interface Attack {
  name: string;
  /** What is waited for meanwhile, by the account that waits. */
  wishes: Record<string, Wish>;
  attack: (over: AbortSignal) => Promise<unknown>;
  /** How long the attack begins, while each of its many requests costs work; those waits are shown apart. */
  beginsMs?: number;
  /** What was promised, given an idle server's worst. */
  within?: (floor: number) => number;
}

/** What was answered during an attack, by status; 0 for what was broken off. */
const statuses = new Map<number, number>();
const note = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);

/** Asks as these accounts do, which all have one server. */
function callerAt(address: string) {
  return async (as: Account, method: string, path: string, body?: object | null, signal?: AbortSignal) => {
    const init = requestOf(address, as.cookie, method, body ?? undefined);
    const answer = await fetch(`${address}/api${path}`, { ...init, ...(signal ? { signal } : {}) });
    note(answer.status);
    return answer.text();
  };
}
type Call = ReturnType<typeof callerAt>;

/** Attacks with `width` at once until the time is over. */
const keepAt =
  (width: number, attack: (i: number, over: AbortSignal) => Promise<unknown>) => async (over: AbortSignal) => {
    let count = 0;
    const one = async () => {
      // Refusals have a status; other failures are counted as broken off.
      while (!over.aborted) await attack((count += 1), over).catch(() => over.aborted || note(0));
    };
    await Promise.all(Array.from({ length: width }, one));
  };

/** How long was waited at the longest for each wish, and at the median, while an attack lasts. */
async function waitsDuring(
  { wishes, attack, beginsMs = 0 }: Pick<Attack, 'wishes' | 'attack' | 'beginsMs'>,
  address: string,
  { cookie }: Account,
) {
  const probes = Object.entries(wishes).map(([name, wish]) => {
    const workerData = { address, cookie, ...wish };
    const worker = new Worker(new URL('./wait-probe.ts', import.meta.url), { workerData });
    const give = async () => {
      worker.postMessage('give');
      const [took] = (await once(worker, 'message')) as [number[]];
      return took;
    };
    return { name, worker, give };
  });
  await Promise.all(probes.map(({ worker }) => once(worker, 'message')));
  statuses.clear();
  const attacking = attack(AbortSignal.timeout(LASTS_MS));
  await pause(beginsMs);
  const begun = await Promise.all(
    probes.map(async ({ give }) => (beginsMs > 0 ? Math.max(...(await give())) : undefined)),
  );
  await attacking;
  return Promise.all(
    probes.map(async ({ name, worker, give }, at) => {
      const took = await give();
      await worker.terminate();
      return { name, slowest: Math.max(...took), usual: median(took), begun: begun[at] };
    }),
  );
}

const idle = (over: AbortSignal) =>
  new Promise<void>((done) => (over.aborted ? done() : over.addEventListener('abort', () => done())));

async function measure(attacks: Attack[], address: string, waiting: Account): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const attack of attacks.filter(({ name }) => name.includes(values.only))) {
    const { wishes, within = (floor) => floor + MORE_MS } = attack;
    // What was prepared is on the disk before anybody waits for it.
    execFileSync('sync');
    const floors = await waitsDuring({ wishes, attack: idle }, address, waiting);
    const waits = await waitsDuring(attack, address, waiting);
    const answers = [...statuses].map(([status, count]) => `${count} × ${status || 'broken off'}`);
    console.log(`${attack.name}: ${answers.join(', ') || 'nothing answered'}`);
    for (const [at, { name, slowest, usual, begun }] of waits.entries()) {
      const floor = floors[at] ?? { slowest: Number.NaN, usual: Number.NaN };
      for (const worst of [slowest, begun ?? 0]) {
        if (worst < within(floor.slowest)) continue;
        console.log(`missed: ${name} took ${worst.toFixed(0)} ms`);
        process.exitCode = 1;
      }
      const figure = (what: string, least: number, ours: number) =>
        figures.push({ what: `${name}, ${what}: ${attack.name}`, unit: 'ms', floor: least, ours });
      figure('slowest', floor.slowest, slowest);
      figure('median', floor.usual, usual);
      if (begun !== undefined) figure('at its beginning', floor.slowest, begun);
    }
  }
  return figures;
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
const HOSTILE_MESSAGES = [
  `${' '.repeat(31_000)}x`,
  '(('.repeat(15_000),
  'What is 1+'.repeat(3_000),
  'My my '.repeat(5_000),
];

/** An account with fifty agents, as many of them public as may be in a day, and twenty sessions, and how it asks. */
interface Worst {
  uid: string;
  ask: (method: string, path: string, body?: object | null, over?: AbortSignal) => Promise<string>;
  sessions: string[];
}
const PROMPT = 'The kiln in Faro is fired on Mondays, with oak from the valley. '.repeat(300);

async function furnish(call: Call, as: Account): Promise<Worst> {
  const ask: Worst['ask'] = (...asked) => call(as, ...asked);
  for (let i = 0; i < 50; i += 1)
    await ask('POST', '/agents', { name: `Agent ${i}`, prompt: PROMPT, isPublic: i < 20 });
  const sessions: string[] = [];
  for (let i = 0; i < 20; i += 1)
    sessions.push(JSON.parse(await ask('POST', '/sessions', { agentId: `agent-${i}` })).session.id);
  return { uid: as.uid, ask, sessions };
}

/** What one account may try against everybody, and how often at once. */
const ATTACKS: [name: string, width: number, attack: (one: Worst, i: number, over: AbortSignal) => Promise<unknown>][] =
  [
    ['live streams, each once', 2_000, ({ ask }, _, over) => ask('GET', '/live', null, over).finally(() => idle(over))],
    ['exports', 20, ({ ask }, _, over) => ask('GET', '/export', null, over)],
    ['searches', 50, ({ ask }, i, over) => ask('GET', `/search?q=kiln+${i}`, null, over)],
    [
      'favorites on and off',
      50,
      ({ ask, uid }, i) => ask(i % 2 === 0 ? 'PUT' : 'DELETE', `/favorites/${uid}/agent-${i % 50}`),
    ],
    ['agents of 20 kB', 50, ({ ask }, i) => ask('POST', '/agents', { name: `More ${i}`, prompt: PROMPT })],
    [
      'hostile messages',
      20,
      ({ ask, sessions }, i) => {
        const [at, inputText] = [i % sessions.length, HOSTILE_MESSAGES[i % HOSTILE_MESSAGES.length]];
        return ask('POST', '/runAgentTask', { sessionId: sessions[at], agentId: `agent-${at}`, inputText });
      },
    ],
    [
      'hostile files of 9 MB',
      3,
      ({ ask }, i, over) => {
        const [name, text] = HOSTILE_FILES[i % HOSTILE_FILES.length] ?? ['', ''];
        return ask('POST', `/agents/agent-${i % 50}/files`, formOf(`${i}-${name}`, text), over);
      },
    ],
    ['the list of memories', 50, ({ ask }, _, over) => ask('GET', '/memories?q=x', null, over)],
    [
      'sign-ups',
      50,
      ({ ask }) => {
        const email = `flood-${randomUUID()}@example.com`;
        return ask('POST', '/auth/sign-up/email', { name: 'Flood', email, password: 'a long password' });
      },
    ],
  ];

/** More than the buffers of a connection hold, and nothing that an archive makes smaller. */
const LONG = randomBytes(6 * 1024 * 1024).toString('base64');
const NESTED = '<div>'.repeat((1024 * 1024) / 5);
const SHORT = 'The kiln in Faro is fired on Mondays. '.repeat(27);
/** So that the stranger’s own attachments of both rounds stay below the rate of one account. */
const PAUSE_MS = 120;
/** In this time its first requests were begun, and their answers have filled the buffers of their connections. */
const BEGINS_MS = 2_000;

/** What ten accounts may try against a stranger who wants the same. */
async function worstOfTen(call: Call, address: string, stranger: Account, others: Account[]): Promise<Attack[]> {
  const attach = async (as: Account, name: string, text: string): Promise<string> =>
    JSON.parse(await call(as, 'POST', `/sessions/${as.sessionId}/attachments`, formOf(name, text))).attachment?.url;
  const paths: string[] = [];
  for (const other of others) paths.push(await attach(other, 'long.txt', LONG));
  const own = await attach(stranger, 'short.txt', SHORT);
  const nest = keepAt(6, (i) => attach(others[i % 2] ?? stranger, 'nested.html', NESTED));
  /** Asks for something and takes nothing of the answer. */
  const hold = (each: number, path: (at: number) => string) => async (over: AbortSignal) => {
    const { host, hostname, port } = new URL(address);
    const held = others.flatMap(({ cookie }, at) =>
      Array.from({ length: each }, () => {
        const socket = connect(Number(port), hostname).on('error', () => {});
        socket.pause().write(`GET ${path(at)} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
        return socket;
      }),
    );
    await idle(over);
    for (const socket of held) socket.destroy();
  };
  const wish = (path: string, text?: string) => ({ path, pauseMs: PAUSE_MS, ...(text && { text }) });
  const attachment = wish(`/api/sessions/${stranger.sessionId}/attachments`, SHORT);
  const exports = '/api/export';
  const attacks: [name: string, wishes: Attack['wishes'], attack: Attack['attack']][] = [
    ['two accounts attach nested pages', { 'a text attached': attachment }, nest],
    ['ten accounts take nothing of theirs', { 'an export': wish(exports) }, hold(1, () => exports)],
    ['ten accounts take nothing of sixty', { 'a download': wish(own) }, hold(6, (at) => paths[at] ?? '')],
  ];
  return attacks.map(([name, wishes, attack]) => ({ name, wishes, attack, beginsMs: BEGINS_MS }));
}

// Here the bounds of single accounts are the subject.
const BOUNDS = { ACCOUNT_BOUNDS: '1', AUTH_RATE_MAX: '10000', OFFLINE_PAUSE_MS: '0' };

async function ofOneAccount(create: CreateDatabase): Promise<Figure[]> {
  const { env, filled } = await create((db) => makeAccounts(db, Array<undefined>(2).fill(undefined)));
  const [worst, stranger] = filled as [Account, Account];
  return withServer('shipped', { ...env, ...BOUNDS }, async ({ address }) => {
    const one = await furnish(callerAt(address), worst);
    const attacks = ATTACKS.map(([name, width, attack]) => ({
      name: `${name}, ${width} at a time`,
      wishes: { '/healthz': { path: '/healthz', pauseMs: 10 } },
      attack: keepAt(width, (i, over) => attack(one, i, over)),
      within: () => PROMISED_MS,
    }));
    return measure(attacks, address, stranger);
  });
}

/** On a server of their own: what one account sent is still being read long after its attack. */
async function ofTenAccounts(create: CreateDatabase): Promise<Figure[]> {
  const { env, filled } = await create((db) => makeAccounts(db, Array<undefined>(11).fill(undefined)));
  const [stranger, ...others] = filled as [Account, ...Account[]];
  return withServer('shipped', { ...env, ...BOUNDS }, async ({ address }) =>
    measure(await worstOfTen(callerAt(address), address, stranger, others), address, stranger),
  );
}

async function ofLargeAccount(create: CreateDatabase, name: string, path: string, body: object | null) {
  if (!name.includes(values.only)) return [];
  const { env, filled } = await create(async (db) => {
    const [owner, stranger] = (await makeAccounts(db, [undefined, undefined])) as [Account, Account];
    await fillAccount(db, owner.uid, stranger.uid);
    return { owner, stranger };
  });
  return withServer('shipped', env, async ({ address }) => {
    let answered = Number.NaN;
    const attack = async () => {
      const begun = performance.now();
      await callerAt(address)(filled.owner, 'DELETE', path, body);
      answered = performance.now() - begun;
      await pause(DELETING_MS);
    };
    const wishes = {
      '/healthz': { path: '/healthz', pauseMs: 20 },
      'a stranger’s list': { path: '/api/agents?limit=10', pauseMs: 20 },
    };
    const figures = await measure([{ name, wishes, attack }], address, filled.stranger);
    return [...figures, { what: `answered: ${name}`, unit: 'ms', ours: answered }];
  });
}

const figures = await measureOn(values.databases, async (create) => [
  ...(await ofOneAccount(create)),
  ...(await ofTenAccounts(create)),
  ...(await ofLargeAccount(create, 'an agent of 100,000 memories is deleted', '/agents/bench', null)),
  ...(await ofLargeAccount(create, 'an account of 100,000 memories is deleted', '/me', { password: PASSWORD })),
]);
report('how long is waited, beside an idle server', figures);
