import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { borrowTestDatabase, emptyTables } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { ACCOUNT, CASES } from '../../testing/function-cases.ts';
import type { Database } from './database.ts';
import { readFunctions } from './migrate.ts';

let database: Database;
const heard: unknown[] = [];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await borrowTestDatabase();
  for (const channel of ['atelier_change', 'atelier_run']) {
    stops.push(await database.listen(channel, (payload) => heard.push(JSON.parse(payload))));
  }
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await database.close();
});
beforeEach(async () => void (await database.executeSql(ACCOUNT)));
afterEach(() => emptyTables(database));

/** Both channels in the order of their commits: a notice of our own tells that all before it were heard. */
async function allHeard(): Promise<unknown[]> {
  await database.executeSql(`select pg_notify('atelier_run', '"mark"')`);
  await eventually(() => expect(heard).toContain('mark'));
  return heard.splice(0).filter((one) => one !== 'mark');
}

test.each(Object.entries(CASES).flatMap(([name, cases]) => cases.map((one, at) => ({ name, at, ...one }))))(
  '$name ($at)',
  async ({ given, run, rows, told, throws }) => {
    if (given !== undefined) await database.executeSql(given);
    if (told !== undefined) await allHeard();
    const result = database.executeSql(run);
    if (throws !== undefined) return expect(result).rejects.toThrow(throws);
    const found = (await result).rows;
    if (rows !== undefined) expect(found).toEqual(rows);
    if (told !== undefined) expect(await allHeard()).toEqual(told);
  },
);

test('every function has a case', () => {
  const functions = readFunctions().flatMap((one) => /FUNCTION (\w+)\(.*RETURNS/su.exec(one)?.[1] ?? []);
  expect(Object.keys(CASES)).toEqual(functions.toSorted());
});
