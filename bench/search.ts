// How long a search takes in one account with many exchanges, through the product's own route, compared with its floor in the same run:
// reading every exchange for the same words.
//   npm run bench:search -- [--sizes 1000,10000] [--rounds 100] [--json]
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { testApp } from '../server/src/testing/harness.ts';
import { AUTH_SECRET, makeAccounts } from './exchange/accounts.ts';
import { pairsOfTurns } from './made-texts.ts';
import { type Figure, quantile, readOptions, report, timesOf } from './report.ts';

const values = readOptions({ sizes: '1000,10000', rounds: '100' });
const rounds = Number(values.rounds);
const turns = pairsOfTurns().map(([asked]) => asked);

/** Two words of a turn, the second only a prefix; every third search is one of the commonest words. */
function typed(i: number): string {
  if (i % 3 === 0) return ['really', 'think', 'good', 'time'][i % 4] ?? '';
  const words = (turns[(i * 31) % turns.length] ?? '').match(/\p{L}{4,}/gu) ?? ['train'];
  return `${words[0]} ${words.at(-1)?.slice(0, 3)}`;
}

const { database } = await openInMemory();
const sizes = values.sizes.split(',').map(Number);
const people = await makeAccounts(
  database,
  sizes.map((exchanges) => ({ exchanges, aSession: 40 })),
);
const app = await testApp({ database, env: { AUTH_SECRET } });
const figures: Figure[] = [];
for (const [at, person] of people.entries()) {
  const p95 = async (run: (text: string) => Promise<unknown>) =>
    quantile(await timesOf((i) => run(typed(Math.abs(i))), { rounds, warmUp: 10 }), 0.95);
  figures.push({
    what: `search among ${sizes[at]?.toLocaleString('en-US')} exchanges, p95`,
    unit: 'ms',
    floor: await p95((text) => {
      const [first = '', last = ''] = text.split(' ');
      return database.executeSql(
        `select id from tasks where user_id = (select user_id from chat_sessions where id = $1)
           and (input_text || ' ' || message) ilike all ($2) order by created_at desc limit 6`,
        [person.sessionId, [`%${first}%`, `%${last}%`]],
      );
    }),
    ours: await p95((text) => app.call(person, 'GET', `/api/search?q=${encodeURIComponent(text)}`)),
  });
}
report(`${rounds} searches for words of our own conversations, beside reading every exchange`, figures);
await app.close();
await database.close();
