import { randomInt } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kind, Scene } from './scene.ts';
import type { Server } from './server.ts';
import { askedAcrossCrash, frozen, killedBeforeFacts, readersCut } from './under-way.ts';
import { msUntil, openStream, type Writer } from './writer.ts';

export interface Fault {
  name: string;
  on: Kind[];
  /** Needs its own disk. */
  disk?: true;
  /** Causes the fault while the writers write; returns a note for the table. */
  happen(scene: Scene): Promise<string>;
}

const BOTH: Kind[] = ['embedded', 'postgres'];
const PROVIDER_MS = 6_000;

/** Milliseconds until the server answers `/readyz` with 200 again. */
const untilReady = ({ server }: Scene) =>
  msUntil(
    async () => {
      const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(5_000) });
      await answer.body?.cancel();
      return answer.ok;
    },
    Number.POSITIVE_INFINITY,
    () => '',
  );

async function away(scene: Scene, ms: number): Promise<string> {
  const stream = await openStream(scene.writers[0]);
  await scene.postgres?.halt();
  await pause(ms);
  await scene.postgres?.resume();
  const served = await untilReady(scene);
  const live = await msUntil(
    async () => stream.hellos() > 1,
    30_000,
    () => 'nothing was heard',
  ).then(
    (more) => `${more + served} ms`,
    () => 'never',
  );
  await stream.close();
  return `serves after ${served} ms, live after ${live}`;
}

async function providerTurns({ provider }: Scene): Promise<string> {
  for (const mode of ['silence', 'cut', 'garbage', 'html', 'stream-error', 'error'] as const) {
    provider.behave({ mode });
    await pause(PROVIDER_MS / 2);
  }
  provider.reset();
  return 'silent, cut, lying, failing';
}

async function clockJumps({ server }: Scene): Promise<string> {
  for (let turn = 0; turn < 3; turn += 1) {
    server.signal('SIGUSR2');
    await pause(4_000);
  }
  return '+1 h, −1 h, back';
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

/** A start that must fail, with these words in its sentence. */
async function mustRefuse(server: Server, words: string): Promise<void> {
  const said = await server.revive().then(
    () => 'it started',
    (error: Error) => error.message,
  );
  if (!said.includes(words)) throw new Error(`the start did not say “${words}”: ${said}`);
}

async function diskFills(scene: Scene): Promise<string> {
  const { server, disk, kind } = scene;
  await pause(3_000);
  disk?.fill();
  await pause(10_000);
  if (kind === 'embedded') {
    await server.end('SIGKILL');
    await mustRefuse(server, 'is full');
  }
  disk?.free();
  await server.revive();
  const refused = kind === 'embedded' ? ', no start while it was full' : '';
  return `ended ${server.deaths()} times, serves ${await untilReady(scene)} ms after${refused}`;
}

/** What a copy that was cut off lacks, and what the start says of it. */
const LOST: [part: string, said: string][] = [
  ['db/PG_VERSION', 'is not all there'],
  ['db/global/pg_control', 'can’t be opened'],
];

/** Each part is missing for one start, which is refused and changes nothing. */
async function halfRestored({ server, folder }: Scene): Promise<string> {
  await server.end('SIGKILL');
  for (const [part, words] of LOST) {
    const aside = join(folder, 'aside');
    renameSync(join(folder, part), aside);
    await mustRefuse(server, words);
    renameSync(aside, join(folder, part));
  }
  await server.revive();
  return `refused without ${LOST.map(([part]) => part).join(', without ')}`;
}

/** A hundred streams break and reconnect at once; each must receive the next change. */
async function stampede({ server, writers }: Scene): Promise<string> {
  const open = () =>
    Promise.all(Array.from({ length: 100 }, (_, at) => openStream(writers[at % writers.length] as Writer)));
  const first = await open();
  await Promise.all(first.map((stream) => stream.close()));
  const again = await open();
  const deaf = () => again.filter((stream) => stream.status === 200 && !stream.hears('event: changed')).length;
  await msUntil(
    async () => deaf() === 0,
    20_000,
    () => `${deaf()} of 100 streams heard nothing at ${server.url}`,
  ).finally(() => Promise.all(again.map((stream) => stream.close())));
  const refused = again.filter((stream) => stream.status !== 200).length;
  return `all hear again, ${refused} beyond the account’s bound`;
}

export const FAULTS: Fault[] = [
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
  { name: 'connections cut while files are read', on: ['postgres'], happen: readersCut },
  { name: 'killed before facts', on: BOTH, happen: killedBeforeFacts },
  { name: 'asked again after a crash', on: BOTH, happen: askedAcrossCrash },
  { name: 'one of two frozen', on: ['postgres'], happen: frozen },
  { name: 'disk full and freed', on: BOTH, disk: true, happen: diskFills },
  { name: 'half-restored folder', on: ['embedded'], happen: halfRestored },
  { name: 'provider silent, cut, lying', on: BOTH, happen: providerTurns },
  { name: 'clock ± 1 h', on: BOTH, happen: clockJumps },
  { name: 'killed at random', on: BOTH, happen: kills },
  { name: 'SIGTERM under load', on: BOTH, happen: restarts },
  { name: '100 browsers at once', on: BOTH, happen: stampede },
];
