// What people do: 50 accounts that talk with agents that remember, over HTTP and the event stream, on both databases, compared in the
// same run with the raw provider behind it; and whether an account that has much still answers as fast as an empty one.
//   npm run bench:exchange -- [--databases embedded,postgres] [--rounds 4] [--base 100] [--session 50000] [--no-growth] [--json]
// Rounds are the exchanges of each account; --base is what an account has at 1×.
import { AUTH_SECRET, makeAccounts } from './exchange/accounts.ts';
import { type Account, closeConnections } from './exchange/client.ts';
import { type DatabaseServer, KINDS, startDatabaseServer } from './exchange/database-server.ts';
import { growthOf, measureGrowth } from './exchange/growth.ts';
import { ACCOUNTS, compare, countStatements } from './exchange/measure.ts';
import { type MeasuredProcess, startMeasuredServer, startProvider } from './exchange/measured-process.ts';
import { makeQuestions } from './made-texts.ts';
import { type Figure, readOptions, report } from './report.ts';

const values = readOptions({
  databases: KINDS.join(','),
  rounds: '4',
  base: '100',
  session: '50000',
  growth: true,
});
const questions = makeQuestions(200);
const rounds = Number(values.rounds);
const provider = await startProvider();

async function withServer<T>(
  program: Parameters<typeof startMeasuredServer>[0],
  { env, filled }: { env: Record<string, string>; filled: Omit<Account, 'url'>[] },
  work: (server: MeasuredProcess, accounts: Account[]) => Promise<T>,
): Promise<T> {
  const key = { OPENAI_BASE_URL: provider.address, OPENAI_API_KEY: 'sk-bench-0123456789', AUTH_SECRET };
  const server = await startMeasuredServer(program, { ...key, ...env });
  try {
    return await work(
      server,
      filled.map((person) => ({ ...person, url: server.address })),
    );
  } finally {
    closeConnections();
    await server.stop();
  }
}

async function measure(database: DatabaseServer): Promise<Figure[]> {
  const crowd = await database.create((db) => makeAccounts(db, Array<undefined>(ACCOUNTS).fill(undefined)));
  const counted = await withServer('counted', crowd, (server, accounts) =>
    countStatements({ server, accounts, questions, rounds }),
  );
  const compared = await withServer('shipped', crowd, (server, accounts) =>
    compare({ provider, server, accounts, questions, rounds }),
  );
  if (!values.growth) return [...compared, ...counted];
  const pasts = growthOf(Number(values.base), Number(values.session));
  const grown = await database.create((db) =>
    makeAccounts(
      db,
      pasts.map(({ past }) => past),
    ),
  );
  const growth = await withServer('shipped', grown, (_, accounts) =>
    measureGrowth(
      accounts.map((account, i) => ({ ...account, name: pasts[i]?.name ?? '' })),
      questions,
    ),
  );
  return [...compared, ...counted, ...growth];
}

try {
  const figures: Figure[] = [];
  for (const kind of KINDS.filter((one) => values.databases.split(',').includes(one))) {
    const database = await startDatabaseServer(kind);
    try {
      figures.push(...(await measure(database)).map((figure) => ({ ...figure, on: kind })));
    } finally {
      await database.stop();
    }
  }
  report(
    `${ACCOUNTS} accounts with memory, answers of 50 tokens; the floor is the provider alone, and for accounts that have much, an empty one`,
    figures,
  );
} finally {
  closeConnections();
  await provider.stop();
}
