import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';

// Kills the real server at random moments and checks that every acknowledged write is still there.
// npm run durability -- --rounds 50 --writes 1000

const MAIN = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const CONNECTIONS = 6;
const START_TIMEOUT_MS = 120_000;
/** How often the kill hits the start itself, while the database recovers. */
const KILL_A_START_EVERY = 5;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    writes: { type: 'string', default: '1000' },
    keep: { type: 'boolean', default: false },
  },
});
const wanted = { rounds: Number(options.rounds), writes: Number(options.writes) };
const folder = mkdtempSync(join(tmpdir(), 'atelier-durability-'));

const agentPage = z.object({
  agents: z.array(z.object({ id: z.string(), prompt: z.string() })),
  nextCursor: z.string().nullable(),
});

interface Server {
  child: ChildProcess;
  url: string;
  ended: Promise<void>;
}

/** What the server acknowledged. An update that was sent but not answered may or may not be there. */
const created = new Map<string, string>();
const updated = new Map<string, { acknowledged: number; sent: number }>();
const losses: string[] = [];
const figures = { rounds: 0, killedStarts: 0, acknowledged: 0, slowestStartMs: 0, unanswered: 0 };

function launch(): { child: ChildProcess; ended: Promise<void>; said: () => string } {
  // Only what a start needs: a person's DATABASE_URL must not be written to.
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, AUTH_RATE_MAX: '100000', ACCOUNT_BOUNDS: '1000' };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-20_000);
    });
  }
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return { child, ended, said: () => said };
}

async function start(): Promise<Server> {
  const since = Date.now();
  const { child, ended, said } = launch();
  while (Date.now() - since < START_TIMEOUT_MS) {
    const port = /listens on http:\/\/localhost:(\d+)/u.exec(said())?.[1];
    if (port !== undefined) {
      figures.slowestStartMs = Math.max(figures.slowestStartMs, figures.rounds === 0 ? 0 : Date.now() - since);
      return { child, ended, url: `http://localhost:${port}` };
    }
    if (child.exitCode !== null || child.signalCode !== null) break;
    await pause(20);
  }
  child.kill('SIGKILL');
  throw new Error(`The server did not start:\n${said()}`);
}

async function kill({ child, ended }: Pick<Server, 'child' | 'ended'>) {
  child.kill('SIGKILL');
  await ended;
}

const person = { name: 'Durability', email: `${randomUUID()}@example.com`, password: randomUUID() };

async function signUp({ url }: Server): Promise<string> {
  const answer = await send(url, '', 'POST', '/api/auth/sign-up/email', person);
  if (!answer.ok) throw new Error(`The sign-up answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

function send(url: string, cookie: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: { origin: url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Writes continuously until the server dies. Half of the connections create rows, half update one of their own. */
async function write({ url }: Server, cookie: string, connection: number): Promise<void> {
  const own = `counter-${connection}`;
  for (;;) {
    try {
      if (connection % 2 === 0) await create(url, cookie, randomUUID(), randomUUID());
      else if (!created.has(own) && !updated.has(own)) await createCounter(url, cookie, own);
      else await update(url, cookie, own);
    } catch (error) {
      if (error instanceof Refused) throw error;
      figures.unanswered += 1;
      return;
    }
  }
}

class Refused extends Error {}

async function acknowledged(answer: Response): Promise<void> {
  const text = await answer.text();
  if (!answer.ok) throw new Refused(`The server answered ${answer.status}: ${text}`);
  figures.acknowledged += 1;
}

async function create(url: string, cookie: string, name: string, prompt: string) {
  await acknowledged(await send(url, cookie, 'POST', '/api/agents', { name, prompt }));
  created.set(name, prompt);
}

async function createCounter(url: string, cookie: string, name: string) {
  const answer = await send(url, cookie, 'POST', '/api/agents', { name, prompt: '0' });
  // A row created without an answer works too.
  if (answer.status !== 409) await acknowledged(answer);
  updated.set(name, { acknowledged: 0, sent: 0 });
}

async function update(url: string, cookie: string, name: string) {
  const counter = updated.get(name) ?? { acknowledged: 0, sent: 0 };
  counter.sent += 1;
  const next = counter.sent;
  await acknowledged(await send(url, cookie, 'PUT', `/api/agents/${name}`, { prompt: String(next) }));
  counter.acknowledged = next;
}

/** Compares every acknowledged write with what the server has now. */
async function verify({ url }: Server, cookie: string): Promise<void> {
  const found = new Map<string, string>();
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await send(url, cookie, 'GET', `/api/agents?limit=100${query}`);
    if (!answer.ok) throw new Error(`The list answered ${answer.status}: ${await answer.text()}`);
    const page = agentPage.parse(await answer.json());
    for (const agent of page.agents) found.set(agent.id, agent.prompt);
    cursor = page.nextCursor;
  } while (cursor !== null);
  for (const [name, prompt] of created) if (found.get(name) !== prompt) lose(`the agent ${name}`);
  for (const [name, { acknowledged: least, sent }] of updated) {
    const value = Number(found.get(name));
    if (!(value >= least && value <= sent)) lose(`${name}: acknowledged ${least}, sent ${sent}, found ${value}`);
  }
}

function lose(what: string) {
  if (!losses.includes(what)) losses.push(what);
}

/** Waits for a random number of writes, so that slow machines are killed in the middle of as many as fast ones, and a little longer. */
async function randomMoment() {
  const enough = figures.acknowledged + randomInt(0, 1 + Math.ceil((2.2 * wanted.writes) / wanted.rounds));
  const until = Date.now() + START_TIMEOUT_MS;
  while (figures.acknowledged < enough && Date.now() < until) await pause(5);
  await pause(randomInt(0, 30));
}

async function round(server: Server, cookie: string): Promise<Server> {
  const writers = Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => write(server, cookie, number)));
  await Promise.race([randomMoment(), writers]);
  await kill(server);
  await writers;
  figures.rounds += 1;
  if (figures.rounds % KILL_A_START_EVERY === 0) {
    const starting = launch();
    await pause(randomInt(100, 2_000));
    await kill(starting);
    figures.killedStarts += 1;
  }
  const next = await start();
  await verify(next, cookie);
  return next;
}

async function run(): Promise<void> {
  let server = await start();
  try {
    const cookie = await signUp(server);
    while (figures.rounds < wanted.rounds || figures.acknowledged < wanted.writes) {
      server = await round(server, cookie);
      if (figures.rounds % 10 === 0) console.log(`${figures.rounds} rounds, ${figures.acknowledged} writes`);
      if (losses.length > 0) break;
    }
  } finally {
    await kill(server);
  }
}

const since = Date.now();
try {
  await run();
} finally {
  if (options.keep || losses.length > 0) console.log(`The data folder is kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
for (const loss of losses) console.log(`LOST: ${loss}`);
console.log(
  [
    `${figures.rounds} kills while writing, ${figures.killedStarts} more during a start, in ${Math.round((Date.now() - since) / 1000)} s`,
    `${figures.acknowledged} acknowledged writes (${created.size} rows created), ${figures.unanswered} unanswered`,
    `slowest restart ${figures.slowestStartMs} ms`,
    `${losses.length} lost`,
  ].join('\n'),
);
process.exitCode = losses.length > 0 ? 1 : 0;
