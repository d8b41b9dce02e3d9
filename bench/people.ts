// How long the operator's list of people takes among 100,000 accounts, by the product's own route in one process: the first page in each
// order, a page far in, and searches for many, for one and for nobody. The floor is the same call where there is one account.
//   npm run bench:people -- [--accounts 100000] [--rounds 30] [--databases embedded,postgres] [--json]
import type { Database } from '../server/src/platform/database/database.ts';
import { testApp } from '../server/src/testing/harness.ts';
import { AUTH_SECRET } from './exchange/accounts.ts';
import { BOTH, measureOn } from './exchange/measured-process.ts';
import { type Figure, quantile, readOptions, report, timesOf } from './report.ts';

const values = readOptions({ accounts: '100000', rounds: '30', databases: BOTH });
const [ACCOUNTS, ROUNDS] = [Number(values.accounts), Number(values.rounds)];

const ASKED: [what: string, query: string][] = [
  ['newest first', ''],
  ['last sign-in first', '?sort=seen'],
  ['by email', '?sort=email'],
  ['a search that many match', '?search=person'],
  ['a search that one matches', '?search=person-12345%40'],
  ['a search that nobody matches', '?search=nobody'],
];

const FILL = [
  `insert into "user" (id, name, email, created_at, last_sign_in_at)
     select gen_random_uuid()::text, 'Person ' || n, 'person-' || n || '@example.com', now() - n * interval '1 minute', now() - n * interval '50 seconds'
     from generate_series(1, ${ACCOUNTS}) n`,
  `insert into profiles (user_id) select id from "user" on conflict do nothing`,
  `insert into usage (user_id, message_count) select id, 3 from "user" on conflict do nothing`,
  'analyze',
];

/** The 95th percentile of each call by the first account. */
async function measure(database: Database, fill: boolean): Promise<number[]> {
  const app = await testApp({ database, env: { AUTH_SECRET } });
  const boss = await app.signUp('Boss');
  await database.executeSql(`update "user" set created_at = '2020-01-01' where id = $1`, [boss.uid]);
  if (fill) for (const statement of FILL) await database.executeSql(statement);
  const ask = (query: string) => app.call(boss, 'GET', `/api/admin/people${query}`);
  let far = '';
  for (let page = 0; page < 20; page += 1) {
    const { nextCursor } = await ask(`?limit=200${far}`);
    if (nextCursor !== null) far = `&cursor=${nextCursor}`;
  }
  const queries = [...ASKED.map(([, query]) => query), `?limit=50${far}`];
  const found: number[] = [];
  for (const query of queries) {
    found.push(quantile(await timesOf(() => ask(query), { rounds: ROUNDS, warmUp: 5 }), 0.95));
  }
  await app.close();
  return found;
}

const figures = await measureOn(values.databases, async (create) => {
  const { filled: floor } = await create((database) => measure(database, false));
  const { filled: ours } = await create((database) => measure(database, true));
  return [...ASKED.map(([what]) => what), 'a page far in'].map(
    (what, at): Figure => ({ what, unit: 'ms', floor: floor[at], ours: ours[at] ?? Number.NaN }),
  );
});
report(`the operator's list of ${ACCOUNTS.toLocaleString('en-US')} accounts, p95`, figures);
