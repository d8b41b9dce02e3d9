// How soon a program gets its first word at /v1, compared in the same run with the page's way (POST tasks, then its events) and with the
// provider behind both.
//   node scripts/run.mjs bench/endpoint.ts [--rounds 6] [--accounts 20]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bundleServer } from '../server/src/testing/bundle.ts';
import { AUTH_SECRET, makeAccounts } from './exchange/accounts.ts';
import { type Account, askProvider, closeConnections, exchange, makeKey, type Timing } from './exchange/client.ts';
import { startDatabaseServer } from './exchange/database-server.ts';
import { median, quantile } from './exchange/measure.ts';
import { startMeasured } from './exchange/measured-process.ts';
import { makeQuestions } from './made-texts.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, accounts: { type: 'string', default: '20' } },
});
const [rounds, count] = [Number(values.rounds), Number(values.accounts)];
const WARM_UP = 2;
const REST_MS = 5_000;
const SETTLE_MS = 500;
/** How many ask at once. */
const CROWDS = [1, 10];

const here = (file: string) => join(import.meta.dirname, file);
const SERVER_FLAGS: string[] = JSON.parse(readFileSync(here('../scripts/server-flags.json'), 'utf8'));
const questions = makeQuestions(200);
const question = (i: number) => questions[i % questions.length] ?? '';

type Way = (account: Account & { secret: string }, round: number) => Promise<Timing>;

const provider = await startMeasured([here('exchange/provider.ts')], /provider at (\S+)/u);
const WAYS: Record<'provider' | 'page' | 'v1', Way> = {
  provider: (_account, round) => askProvider(provider.address, question(round)),
  page: (account, round) => exchange(account, question(round)),
  v1: ({ url, agentId, secret }, round) =>
    askProvider(`${url}/v1`, question(round), { model: agentId, authorization: `Bearer ${secret}` }),
};
type Name = keyof typeof WAYS;
/** Every order as often: what one exchange leaves to do weighs on the next. */
const ORDERS: Name[][] = [
  ['provider', 'page', 'v1'],
  ['v1', 'page', 'provider'],
  ['page', 'v1', 'provider'],
  ['provider', 'v1', 'page'],
  ['page', 'provider', 'v1'],
  ['v1', 'provider', 'page'],
];
/** One alone waits for each pause by itself, so fewer accounts take part. */
const ALONE = 6;

const database = await startDatabaseServer('embedded');
const { env, filled } = await database.create((db) =>
  makeAccounts(
    db,
    Array.from({ length: count }, () => undefined),
  ),
);
const server = await startMeasured([...SERVER_FLAGS, bundleServer()], /listens on (http:\/\/\S+)/u, {
  outside: true,
  env: {
    OPENAI_BASE_URL: provider.address,
    OPENAI_API_KEY: 'sk-bench-0123456789',
    PORT: '0',
    AUTH_SECRET,
    ACCOUNT_BOUNDS: '1000',
    ...env,
  },
});
try {
  const accounts = await Promise.all(
    filled.map(async (person) => {
      const account = { ...person, url: server.address };
      return { ...account, secret: await makeKey(account) };
    }),
  );
  await pause(REST_MS);
  const firsts = new Map<string, number[]>();
  const at = (name: Name, crowd: number) => firsts.get(`${name} ${crowd}`) ?? [];
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    for (const crowd of CROWDS) {
      for (let from = 0; from + crowd <= (crowd === 1 ? ALONE : accounts.length); from += crowd) {
        for (const name of ORDERS[(round + from / crowd) % ORDERS.length] ?? []) {
          await pause(SETTLE_MS);
          const asked = accounts.slice(from, from + crowd).map((account) => WAYS[name](account, round));
          const timings = await Promise.all(asked);
          if (round >= WARM_UP)
            firsts.set(`${name} ${crowd}`, [...at(name, crowd), ...timings.map(({ first }) => first)]);
        }
      }
    }
  }
  console.log('First word in ms, with memory; added is what comes on top of the provider’s own');
  const rows = CROWDS.map((crowd) => {
    const floor = median(at('provider', crowd));
    const added = (name: Name) => median(at(name, crowd)) - floor;
    return {
      'at once': crowd,
      exchanges: at('v1', crowd).length,
      provider: floor.toFixed(1),
      'page, added': added('page').toFixed(1),
      '/v1, added': added('v1').toFixed(1),
      ratio: (added('v1') / added('page')).toFixed(2),
      'page p95': quantile(at('page', crowd), 0.95).toFixed(1),
      '/v1 p95': quantile(at('v1', crowd), 0.95).toFixed(1),
    };
  });
  console.table(rows);
} finally {
  closeConnections();
  await server.stop();
  await database.stop();
  await provider.stop();
}
