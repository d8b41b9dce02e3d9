import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '../bench/report.ts';
import { canMakeDisk, type Kind, openScene, type Scene } from './faults/scene.ts';
import { type Findings, openStream, type Writer } from './faults/writer.ts';

// Breaks what the real server depends on, under load, and counts acknowledged work that is missing, doubled or stuck.
// npm run faults -- --only "disk" --database embedded --away 60 --kills 10

const options = readOptions({ only: '', database: 'embedded,postgres', away: '60', kills: '10' });
/** A lease is 3 s here; a provider may hold an answer for 30 s. */
const GRACE_MS = 45_000;

interface Fault {
  name: string;
  on: Kind[];
  /** Needs its own disk. */
  disk?: true;
  /** Causes the fault while the writers write; returns a note for the table. */
  happen(scene: Scene): Promise<string>;
}

const BOTH: Kind[] = ['embedded', 'postgres'];

/** Milliseconds until the server answers `/readyz` with 200 again. */
async function untilReady({ server }: Scene): Promise<number> {
  const since = Date.now();
  for (;;) {
    const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return Date.now() - since;
    await pause(50);
  }
}

async function away(scene: Scene, ms: number): Promise<string> {
  const [watcher] = scene.writers;
  if (watcher === undefined || scene.postgres === undefined) throw new Error('nobody watches');
  const stream = await openStream(watcher);
  await scene.postgres.halt();
  await pause(ms);
  await scene.postgres.resume();
  const served = await untilReady(scene);
  const since = Date.now();
  while (stream.hellos() < 2 && Date.now() - since < 30_000) await pause(20);
  const live = stream.hellos() < 2 ? 'never' : `${Date.now() - since + served} ms`;
  await stream.close();
  return `serves after ${served} ms, live after ${live}`;
}

async function restarts({ server }: Scene): Promise<string> {
  for (let turn = 0; turn < 2; turn += 1) {
    await pause(2_000);
    await server.end('SIGTERM');
    await server.revive();
  }
  return 'twice';
}

const KILL_A_START_EVERY = 5;

/** Killed at random moments, at times during the start that follows. */
async function kills({ server, kills }: Scene): Promise<string> {
  let slowest = 0;
  for (let turn = 1; turn <= kills; turn += 1) {
    await pause(randomInt(0, 3_000));
    await server.end('SIGKILL');
    if (turn % KILL_A_START_EVERY === 0) await server.killStart(randomInt(100, 2_000));
    const since = Date.now();
    await server.revive();
    slowest = Math.max(slowest, Date.now() - since);
  }
  return `${kills} kills, slowest start ${slowest} ms`;
}

async function diskFills(scene: Scene): Promise<string> {
  const { server, disk, kind } = scene;
  await pause(3_000);
  disk?.fill();
  await pause(10_000);
  if (kind === 'embedded') {
    await server.end('SIGKILL');
    const said = await server.revive().then(String, ({ message }: Error) => message);
    if (!said.includes('is full')) throw new Error(`the start did not say that the disk is full: ${said}`);
  }
  disk?.free();
  await server.revive();
  const refused = kind === 'embedded' ? ', no start while it was full' : '';
  return `ended ${server.deaths()} times, serves ${await untilReady(scene)} ms after${refused}`;
}

/** A hundred streams break and reconnect at once; each must receive the next change. */
async function stampede({ server, writers }: Scene): Promise<string> {
  const open = () =>
    Promise.all(Array.from({ length: 100 }, (_, at) => openStream(writers[at % writers.length] as Writer)));
  const first = await open();
  await Promise.all(first.map((stream) => stream.close()));
  const since = Date.now();
  const again = await open();
  const waiting = () => again.filter((stream) => stream.status === 200 && !stream.hears('event: changed'));
  while (waiting().length > 0 && Date.now() - since < 20_000) await pause(50);
  const refused = again.filter((stream) => stream.status !== 200).length;
  const deaf = waiting().length;
  await Promise.all(again.map((stream) => stream.close()));
  if (deaf > 0) throw new Error(`${deaf} of 100 streams heard nothing at ${server.url}`);
  return `all hear again, ${refused} beyond the account’s bound`;
}

const FAULTS: Fault[] = [
  { name: 'database restarted', on: ['postgres'], happen: (scene) => away(scene, 0) },
  { name: 'database away', on: ['postgres'], happen: (scene) => away(scene, scene.awayMs) },
  {
    name: 'connections cut at random',
    on: ['postgres'],
    happen: async (scene) => {
      for (let cut = 0; cut < 20; cut += 1) {
        await pause(Math.random() * 500);
        await scene.postgres?.terminateAll();
      }
      return `20 times, serves after ${await untilReady(scene)} ms`;
    },
  },
  { name: 'disk full and freed', on: BOTH, disk: true, happen: diskFills },
  { name: 'killed at random', on: BOTH, happen: kills },
  { name: 'SIGTERM under load', on: BOTH, happen: restarts },
  { name: '100 browsers at once', on: BOTH, happen: stampede },
];

type Row = Findings & { fault: string; database: Kind; note: string };

async function tryFault(fault: Fault, kind: Kind): Promise<Row> {
  const [awayMs, kills] = [Number(options.away) * 1_000, Number(options.kills)];
  const scene = { ...(await openScene(kind, fault.disk)), awayMs, kills };
  const { writers, server } = scene;
  try {
    const writing = Promise.all(writers.map((writer) => writer.write()));
    await pause(1_000);
    const note = await fault.happen(scene);
    await pause(3_000);
    for (const writer of writers) writer.stop();
    await writing;
    const found = await Promise.all(writers.map((writer) => writer.verify(GRACE_MS)));
    const sum = (key: keyof Findings) => found.reduce((total, one) => total + one[key], 0);
    return {
      fault: fault.name,
      database: kind,
      acknowledged: sum('acknowledged'),
      lost: sum('lost'),
      doubled: sum('doubled'),
      stuck: sum('stuck'),
      note: server.deaths() > 0 ? `${note}; the process ended ${server.deaths()} times` : note,
    };
  } finally {
    for (const writer of writers) writer.stop();
    await scene.close();
  }
}

const rows: Row[] = [];
const failures: string[] = [];
for (const fault of FAULTS.filter(({ name }) => name.includes(options.only))) {
  for (const kind of fault.on.filter((name) => options.database.includes(name))) {
    if (fault.disk === true && !canMakeDisk()) {
      console.log(`${fault.name} on ${kind}: left out, since only root on Linux can make a small disk`);
      continue;
    }
    console.log(`${fault.name} on ${kind} …`);
    try {
      rows.push(await tryFault(fault, kind));
    } catch (error) {
      failures.push(`${fault.name} on ${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
console.table(rows);
for (const failure of failures) console.log(`FAILED: ${failure}`);
const isClean = rows.every(({ lost, doubled, stuck, note }) => lost + doubled + stuck === 0 && !note.includes('never'));
process.exitCode = isClean && failures.length === 0 ? 0 : 1;
