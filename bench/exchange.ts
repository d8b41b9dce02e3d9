// What people do: 50 accounts that talk with agents that remember, over HTTP and the event stream, on both databases, compared in the
// same run with the raw provider behind it; and whether an account that has much still answers as fast as an empty one.
//   node scripts/run.mjs bench/exchange.ts [--databases embedded,postgres] [--rounds 4] [--base 100] [--session 50000] [--no-growth] [--json FILE]
// Rounds are the exchanges of each account; --base is what an account has at 1×; without FILE (--json -) the figures are printed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleServer } from '../server/src/testing/bundle.ts';
import { AUTH_SECRET, makeAccounts } from './exchange/accounts.ts';
import { type Account, closeConnections } from './exchange/client.ts';
import { type DatabaseServer, type Kind, startDatabaseServer } from './exchange/database-server.ts';
import { type Grown, growthOf, measureGrowth } from './exchange/growth.ts';
import { CROWDS, compare, countSent } from './exchange/measure.ts';
import { type MeasuredProcess, startMeasured } from './exchange/measured-process.ts';
import { type Result, toTable } from './exchange/table.ts';
import { makeQuestions } from './made-texts.ts';

const { values } = parseArgs({
  options: {
    databases: { type: 'string', default: 'embedded,postgres' },
    rounds: { type: 'string', default: '4' },
    base: { type: 'string', default: '100' },
    session: { type: 'string', default: '50000' },
    growth: { type: 'boolean', default: true },
    json: { type: 'string' },
  },
  allowNegative: true,
});
const options = { rounds: Number(values.rounds), questions: makeQuestions(200) };
const GROWTH_ROUNDS = 20;
const here = (file: string) => join(import.meta.dirname, file);

const startProvider = () => startMeasured([here('exchange/provider.ts')], /provider at (\S+)/u);

/** As `npm start` sets them. */
const SERVER_FLAGS: string[] = JSON.parse(readFileSync(here('../scripts/server-flags.json'), 'utf8'));

/** What is started for which question: `npm start`'s bundle for speed and memory, the source for counting. */
const PROGRAMS = {
  shipped: { args: () => [...SERVER_FLAGS, bundleServer()], outside: true },
  counted: {
    args: () => ['--import', here('exchange/count-in-server.ts'), here('../server/src/main.ts')],
    outside: false,
  },
};

/** Bounds of single accounts are raised, because these never pause. */
function startServer(program: keyof typeof PROGRAMS, provider: MeasuredProcess, env: Record<string, string>) {
  const { args, outside } = PROGRAMS[program];
  return startMeasured(args(), /listens on (http:\/\/\S+)/u, {
    outside,
    env: {
      OPENAI_BASE_URL: provider.address,
      OPENAI_API_KEY: 'sk-bench-0123456789',
      PORT: '0',
      AUTH_SECRET,
      ACCOUNT_BOUNDS: '1000',
      ...env,
    },
  });
}

async function exchanges(provider: MeasuredProcess, database: DatabaseServer): Promise<Omit<Result, 'kind'>> {
  const { env, filled } = await database.create((db) =>
    makeAccounts(
      db,
      Array.from({ length: Math.max(...CROWDS) }, () => undefined),
    ),
  );
  const withServer = async <T>(
    program: keyof typeof PROGRAMS,
    work: (server: MeasuredProcess, accounts: Account[]) => Promise<T>,
  ) => {
    const server = await startServer(program, provider, env);
    try {
      return await work(
        server,
        filled.map((person) => ({ ...person, url: server.address })),
      );
    } finally {
      closeConnections();
      await server.stop();
    }
  };
  const { questions } = options;
  const sent = await withServer('counted', (server, accounts) => countSent(server, { accounts, questions }));
  const compared = await withServer('shipped', (server, accounts) =>
    compare({ provider, server, accounts, databaseCpuMs: database.cpuMs, ...options }),
  );
  return { compared, sent };
}

async function growth(provider: MeasuredProcess, database: DatabaseServer): Promise<Grown[]> {
  const accounts = growthOf(Number(values.base), Number(values.session));
  const { env, filled } = await database.create((db) =>
    makeAccounts(
      db,
      accounts.map(({ past }) => past),
    ),
  );
  const server = await startServer('shipped', provider, env);
  try {
    const people = filled.map((person, i) => ({ ...person, url: server.address, name: accounts[i]?.name ?? '' }));
    return await measureGrowth(people, { ...options, rounds: GROWTH_ROUNDS });
  } finally {
    await server.stop();
  }
}

async function onDatabase(kind: Kind, provider: MeasuredProcess): Promise<Result> {
  const database = await startDatabaseServer(kind);
  try {
    const compared = await exchanges(provider, database);
    return { kind, ...compared, ...(values.growth ? { growth: await growth(provider, database) } : {}) };
  } finally {
    await database.stop();
  }
}

const provider = await startProvider();
try {
  const results: Result[] = [];
  for (const kind of values.databases.split(',')) {
    if (kind !== 'embedded' && kind !== 'postgres') throw new Error(`there is no database ${kind}`);
    results.push(await onDatabase(kind, provider));
  }
  console.log(
    `${Math.max(...CROWDS)} accounts with memory, answers of 50 tokens; the floor is the provider alone, and for accounts that have much, an empty one`,
  );
  console.table(toTable(results));
  if (values.json === '-') console.log(JSON.stringify(results));
  else if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  closeConnections();
  await provider.stop();
}
