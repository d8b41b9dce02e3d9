import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, median, quantile } from '../report.ts';
import type { Past } from './accounts.ts';
import { type Account, askProvider, exchange, openSession, type Timing } from './client.ts';
import type { MeasuredProcess } from './measured-process.ts';

const CROWDS = [1, 10, 50] as const;
type Crowd = (typeof CROWDS)[number];
/** So many accounts are needed: one stands for each of the largest crowd. */
export const ACCOUNTS = Math.max(...CROWDS);
/** Passes over all crowds; each has its floor beside it, so that a busy moment of the machine is everyone's. */
const PASSES = 3;
/** One alone has so many times more exchanges, or a few of them would be the figure; and so has the provider, which is quick. */
const [ALONE, QUICK] = [8, 5];
/** Memory settles for so long after the start. */
const REST_MS = 20_000;
const WARM_UP = 3;
const SAMPLE_MS = 250;

/** Something that has exchanges, by the place in the crowd and the round. */
interface Side {
  process: MeasuredProcess;
  rounds: number;
  ask: (index: number, round: number, crowd: Crowd) => Promise<Timing>;
}

interface Pass {
  firsts: number[];
  perSecond: number;
  /** Of each exchange, with everything that goes on beside it, such as jobs. */
  cpuMs: number;
  statements: number;
}

/** A crowd in parallel, each so many times. */
async function passOf({ process, rounds, ask }: Side, crowd: Crowd): Promise<Pass> {
  const before = await process.measure();
  const start = performance.now();
  const timings = await Promise.all(
    Array.from({ length: crowd }, async (_, index) => {
      const own: Timing[] = [];
      for (let round = 0; round < rounds * (crowd === 1 ? ALONE : 1); round += 1) {
        own.push(await ask(index, round, crowd));
      }
      return own;
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const after = await process.measure();
  const firsts = timings.flat().map(({ first }) => first);
  return {
    firsts,
    perSecond: firsts.length / seconds,
    cpuMs: (after.cpuMs - before.cpuMs) / firsts.length,
    statements: (after.statements - before.statements) / firsts.length,
  };
}

/** Watches the memory of a process; what it returns ends that, and answers the largest in MB. */
function watchMemory(process: MeasuredProcess) {
  let largest = 0;
  const look = async () => {
    largest = Math.max(largest, (await process.measure()).rssMb);
  };
  const timer = setInterval(look, SAMPLE_MS);
  return async () => {
    clearInterval(timer);
    await look();
    return largest;
  };
}

interface Crowded {
  server: MeasuredProcess;
  accounts: Account[];
  questions: string[];
  rounds: number;
}

/** Each account talks with its own agent. One alone is another account each time: nobody's conversation grows long. */
function served({ server, accounts, questions, rounds }: Crowded): Side {
  return {
    process: server,
    rounds,
    ask(index, round, crowd) {
      const account = accounts[(crowd === 1 ? round : index) % accounts.length];
      if (account === undefined) throw new Error('there are no accounts');
      return exchange(server, account, questions[(index * 7 + round) % questions.length] ?? '');
    },
  };
}

/** What an exchange sends to the database, on a server that runs from source, where the driver's calls can be watched. */
export async function countStatements(crowded: Crowded): Promise<Figure[]> {
  const side = served(crowded);
  await passOf(side, 50);
  const figures: Figure[] = [];
  for (const crowd of [1, 50] as const) {
    const { statements } = await passOf(side, crowd);
    figures.push({ what: `statements an exchange, ${crowd} at a time, with jobs`, unit: '', ours: statements });
  }
  return figures;
}

/** Speed, processor and memory of the server as people have it, beside the provider alone. */
export async function compare({ provider, ...crowded }: Crowded & { provider: MeasuredProcess }): Promise<Figure[]> {
  const { questions, rounds, server } = crowded;
  const ask: Side['ask'] = (_, round) => askProvider(provider.address, questions[round % questions.length] ?? '');
  const sides = [{ process: provider, rounds: rounds * QUICK, ask }, served(crowded)] as const;
  await pause(REST_MS);
  const [floorRest, rest] = [await provider.measure(), await server.measure()];
  for (const side of sides) await passOf({ ...side, rounds: WARM_UP }, 50);
  const memories = sides.map(({ process }) => watchMemory(process));
  const passes: { floor: Pass; ours: Pass; crowd: Crowd }[] = [];
  for (let i = 0; i < PASSES; i += 1) {
    for (const crowd of CROWDS) {
      passes.push({ crowd, floor: await passOf(sides[0], crowd), ours: await passOf(sides[1], crowd) });
    }
  }
  const [floorLoad, load] = await Promise.all(memories.map((stop) => stop()));

  const figure = (what: string, unit: string, crowd: Crowd, of: (some: Pass[]) => number): Figure => {
    const own = passes.filter((pass) => pass.crowd === crowd);
    return { what, unit, floor: of(own.map(({ floor }) => floor)), ours: of(own.map(({ ours }) => ours)) };
  };
  const firstsOf = (some: Pass[]) => some.flatMap(({ firsts }) => firsts);
  const first = (share: number) => (some: Pass[]) => quantile(firstsOf(some), share);
  const middle = (key: 'perSecond' | 'cpuMs') => (some: Pass[]) => median(some.map((pass) => pass[key]));
  return [
    ...([1, 50] as const).flatMap((crowd) => [
      figure(`first token, ${crowd} at a time, median`, 'ms', crowd, first(0.5)),
      figure(`first token, ${crowd} at a time, p95`, 'ms', crowd, first(0.95)),
    ]),
    ...CROWDS.map((crowd) => figure(`exchanges, ${crowd} at a time`, '/s', crowd, middle('perSecond'))),
    figure('CPU of the server an exchange, 50 at a time', 'ms', 50, middle('cpuMs')),
    { what: 'memory (RSS) at rest', unit: 'MB', floor: floorRest.rssMb, ours: rest.rssMb },
    { what: 'memory (RSS) under load, largest', unit: 'MB', floor: floorLoad, ours: load ?? Number.NaN },
  ];
}

const ROUNDS = 20;
/** Loading the largest memory after the start takes seconds; each try is an exchange. */
const LOADING_TRIES = 500;

/** What accounts have: nothing, a week's exchanges, ten and a hundred times as much, and one long conversation. */
export const growthOf = (base: number, session: number): Record<string, Past | undefined> => ({
  empty: undefined,
  ...Object.fromEntries(
    [1, 10, 100].map((times) => [
      `an account of ${(base * times).toLocaleString('en-US')} exchanges`,
      { exchanges: base * times, aSession: 10 },
    ]),
  ),
  [`a session of ${session.toLocaleString('en-US')}`]: { exchanges: session, aSession: session },
});

interface Grown extends Omit<Crowded, 'rounds'> {
  names: string[];
}

/** First token and opening of a session, for each account in turn, so that a busy moment of the machine is everyone's; the first is the floor. */
export async function measureGrowth({ server, accounts, names, questions }: Grown): Promise<Figure[]> {
  for (const account of accounts) {
    for (let i = 0; i < LOADING_TRIES && (await exchange(server, account, questions[0] ?? '')).partial; i += 1);
  }
  const measures = {
    'first token': async (account: Account, round: number) =>
      (await exchange(server, account, questions.at(round) ?? '')).first,
    // After the exchanges, so that each of the measured sessions has at least those.
    'opening a session': (account: Account) => openSession(server, account),
  };
  const figures: Figure[] = [];
  for (const [what, measure] of Object.entries(measures)) {
    const times = accounts.map(() => [] as number[]);
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      // Another begins each time: the one after a large account pays for what that left.
      for (const turn of accounts.keys()) {
        const at = (turn + round + WARM_UP) % accounts.length;
        const account = accounts[at];
        const ms = account === undefined ? Number.NaN : await measure(account, round);
        if (round >= 0) times[at]?.push(ms);
      }
    }
    const [floor, ...grown] = times.map(median);
    figures.push(...grown.map((ours, i) => ({ what: `${what}, ${names[i + 1]}`, unit: 'ms', floor, ours })));
  }
  return figures;
}
