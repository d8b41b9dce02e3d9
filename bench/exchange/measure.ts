import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sent } from '../../server/src/testing/wire-count.ts';
import { type Account, askProvider, exchange, type Timing } from './client.ts';
import type { MeasuredProcess } from './measured-process.ts';

export const CROWDS = [1, 10, 50] as const;
type Crowd = (typeof CROWDS)[number];
/** Passes over all crowds; each has its floor beside it, so that a busy moment of the machine is everyone's. */
const PASSES = 3;
/** One alone has so many times more exchanges, or a few of them would be the figure; and so has the provider, which is quick. */
const [ALONE, QUICK] = [8, 5];
/** Memory settles for so long after the start. */
const REST_MS = 20_000;
const WARM_UP = 3;
const COUNTED = 9;
const SAMPLE_MS = 250;

export const quantile = (numbers: number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN;
export const median = (numbers: number[]) => quantile(numbers, 0.5);

/** What was spent since the start, or for each exchange. */
interface Spent {
  cpuMs: number;
  databaseCpuMs: number;
  /** With everything that goes on beside the exchanges, such as jobs. */
  statements: number;
}

interface Pass extends Spent {
  firsts: number[];
  perSecond: number;
}

export interface Speed extends Spent {
  first: { median: number; p95: number };
  perSecond: number;
}

export interface Measured {
  speeds: Record<Crowd, Speed>;
  restMb: number;
  loadMb: number;
}

export interface Compared {
  floor: Measured;
  served: Measured;
}

/** What one exchange sends to the database: its message, its run, and following the answer. */
export interface SentByOne extends Sent {
  beforeProvider: Sent;
  /** 50 at a time, with everything that goes on beside the exchanges, such as jobs. */
  crowded: number;
}

/** One way to have an exchange, again and again. */
type Way = (round: number) => Promise<Timing>;

/** Something that has exchanges. */
interface Side {
  way: (index: number, crowd: Crowd) => Way;
  rounds: number;
  process: MeasuredProcess;
  databaseCpuMs: () => number;
}

async function spentBy({ process, databaseCpuMs }: Side): Promise<Spent> {
  const { cpuMs, statements } = await process.measure();
  return { cpuMs, statements, databaseCpuMs: databaseCpuMs() };
}

/** A crowd of ways in parallel, each so many times. */
async function passOf(side: Side, crowd: Crowd): Promise<Pass> {
  const rounds = crowd === 1 ? side.rounds * ALONE : side.rounds;
  const before = await spentBy(side);
  const start = performance.now();
  const timings = await Promise.all(
    Array.from({ length: crowd }, async (_, index) => {
      const way = side.way(index, crowd);
      const own: Timing[] = [];
      for (let round = 0; round < rounds; round += 1) own.push(await way(round));
      return own;
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const after = await spentBy(side);
  const firsts = timings.flat().map(({ first }) => first);
  const each = (key: keyof Spent) => (after[key] - before[key]) / firsts.length;
  return {
    firsts,
    perSecond: firsts.length / seconds,
    cpuMs: each('cpuMs'),
    databaseCpuMs: each('databaseCpuMs'),
    statements: each('statements'),
  };
}

function merge(passes: Pass[]): Speed {
  const firsts = passes.flatMap((pass) => pass.firsts);
  const middle = (key: 'perSecond' | keyof Spent) => median(passes.map((pass) => pass[key]));
  return {
    first: { median: median(firsts), p95: quantile(firsts, 0.95) },
    perSecond: middle('perSecond'),
    cpuMs: middle('cpuMs'),
    databaseCpuMs: middle('databaseCpuMs'),
    statements: middle('statements'),
  };
}

const noPasses = (): Record<Crowd, Pass[]> => ({ 1: [], 10: [], 50: [] });

const sumUp = (passes: Record<Crowd, Pass[]>): Measured['speeds'] => ({
  1: merge(passes[1]),
  10: merge(passes[10]),
  50: merge(passes[50]),
});

/** The largest memory of a process until `stop`, in MB. */
function watchMemory(process: MeasuredProcess) {
  let largest = 0;
  const look = async () => {
    largest = Math.max(largest, (await process.measure()).rssMb);
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    async stop() {
      clearInterval(timer);
      await look();
      return largest;
    },
  };
}

/** The median of some exchanges, one after another. */
async function sentBy(server: MeasuredProcess, way: Way): Promise<Omit<SentByOne, 'crowded'>> {
  await server.measure();
  for (let i = 0; i < COUNTED; i += 1) await way(i);
  const { counted } = await server.measure();
  const [posts, follows] = ['POST', 'GET'].map((method) =>
    counted.filter(({ request }) => request.startsWith(method)).map(({ work }) => work),
  );
  const of = (key: keyof Sent) => median((posts ?? []).map((post, i) => post[key] + (follows?.[i]?.[key] ?? 0)));
  const before = (key: keyof Sent) => median((posts ?? []).map((post) => post.beforeProvider?.[key] ?? Number.NaN));
  return {
    statements: of('statements'),
    roundTrips: of('roundTrips'),
    beforeProvider: { statements: before('statements'), roundTrips: before('roundTrips') },
  };
}

interface Crowded {
  accounts: Account[];
  questions: string[];
}

/** Each account talks with its own agent. */
function asking({ accounts, questions }: Crowded) {
  const question = (i: number) => questions[i % questions.length] ?? '';
  const askAs = (index: number, round: number) => {
    const account = accounts[index % accounts.length];
    if (account === undefined) throw new Error('there are no accounts');
    return exchange(account, question(index * 7 + round));
  };
  return { question, askAs };
}

/** Counts on a server that runs from source, where the driver's calls can be watched. */
export async function countSent(server: MeasuredProcess, crowd: Crowded): Promise<SentByOne> {
  const { askAs } = asking(crowd);
  const side: Side = {
    way: (index) => (round) => askAs(index, round),
    rounds: WARM_UP,
    process: server,
    databaseCpuMs: () => 0,
  };
  await passOf(side, 50);
  const sent = await sentBy(server, (round) => askAs(round, round));
  return { ...sent, crowded: (await passOf(side, 50)).statements };
}

/** One account stands for each of the largest crowd. */
export async function compare(
  options: Crowded & {
    provider: MeasuredProcess;
    server: MeasuredProcess;
    databaseCpuMs: () => number;
    rounds: number;
  },
): Promise<Compared> {
  const { provider, server, databaseCpuMs, rounds } = options;
  const { question, askAs } = asking(options);
  const floor: Side = {
    way: () => (round) => askProvider(provider.address, question(round)),
    rounds: rounds * QUICK,
    process: provider,
    databaseCpuMs: () => 0,
  };
  const served: Side = {
    // One alone is another account each time: nobody's conversation grows long.
    way: (index, crowd) => (round) => askAs(crowd === 1 ? round : index, round),
    rounds,
    process: server,
    databaseCpuMs,
  };
  await pause(REST_MS);
  const [{ rssMb: floorRest }, { rssMb: servedRest }] = [await provider.measure(), await server.measure()];
  for (const side of [floor, served]) await passOf({ ...side, rounds: WARM_UP }, 50);
  const [floorMemory, servedMemory] = [watchMemory(provider), watchMemory(server)];
  const [floorPasses, servedPasses] = [noPasses(), noPasses()];
  for (let i = 0; i < PASSES; i += 1) {
    for (const crowd of CROWDS) {
      floorPasses[crowd].push(await passOf(floor, crowd));
      servedPasses[crowd].push(await passOf(served, crowd));
    }
  }
  return {
    floor: { speeds: sumUp(floorPasses), restMb: floorRest, loadMb: await floorMemory.stop() },
    served: { speeds: sumUp(servedPasses), restMb: servedRest, loadMb: await servedMemory.stop() },
  };
}
