// What people do: 50 accounts that talk with agents that remember, over HTTP and the event stream, on both databases, compared in the
// same run with the raw provider behind it; and whether an account that has much still answers as fast as an empty one.
//   npm run bench:exchange -- [--databases embedded,postgres] [--rounds 4] [--base 100] [--session 50000] [--no-growth] [--json]
// Rounds are the exchanges of each account; --base is what an account has at 1×.
import { makeAccounts } from './exchange/accounts.ts';
import { ACCOUNTS, compare, countStatements, growthOf, measureGrowth } from './exchange/measure.ts';
import { BOTH, type CreateDatabase, measureOn, startProvider, withServer } from './exchange/measured-process.ts';
import { makeQuestions } from './made-texts.ts';
import { type Figure, readOptions, report } from './report.ts';

const values = readOptions({ databases: BOTH, rounds: '4', base: '100', session: '50000', growth: true });
const questions = makeQuestions(200);
const rounds = Number(values.rounds);
const provider = await startProvider();

async function measure(create: CreateDatabase): Promise<Figure[]> {
  const crowd = await create((db) => makeAccounts(db, Array<undefined>(ACCOUNTS).fill(undefined)));
  const env = { ...provider.env, ...crowd.env };
  const crowded = { accounts: crowd.filled, questions, rounds };
  const counted = await withServer('counted', env, (server) => countStatements({ server, ...crowded }));
  const compared = await withServer('shipped', env, (server) => compare({ provider, server, ...crowded }));
  if (!values.growth) return [...compared, ...counted];
  const pasts = growthOf(Number(values.base), Number(values.session));
  const grown = await create((db) => makeAccounts(db, Object.values(pasts)));
  const growth = await withServer('shipped', { ...provider.env, ...grown.env }, (server) =>
    measureGrowth({ server, accounts: grown.filled, names: Object.keys(pasts), questions }),
  );
  return [...compared, ...counted, ...growth];
}

try {
  report(
    `${ACCOUNTS} accounts with memory, answers of 50 tokens; the floor is the provider alone, and for accounts that have much, an empty one`,
    await measureOn(values.databases, measure),
  );
} finally {
  await provider.stop();
}
