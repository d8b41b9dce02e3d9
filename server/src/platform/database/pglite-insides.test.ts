import { expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';

/** Turns of the event loop while the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work;
  over = true;
  return turns;
}

test('hundreds of statements that wait leave the process turns in between', async () => {
  const database = await openTestDatabase();
  const ask = () => database.executeSql('select sum(i) from generate_series(1, $1::int) i', [20_000]);
  await ask();
  expect(await turnsDuring(Promise.all(Array.from({ length: 300 }, ask)))).toBeGreaterThan(10);
  const inside = database.db.transaction(async (tx) => {
    for (let i = 0; i < 300; i += 1) await tx.execute('select sum(i) from generate_series(1, 20000) i');
  });
  expect(await turnsDuring(inside)).toBeGreaterThan(10);
  await database.close();
});
