import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';
import { isNightly } from '../../testing/effort.ts';

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
  const ask = () => database.executeSql('select sum(i) from generate_series(1, $1::int) i', [5_000]);
  await ask();
  expect(await turnsDuring(Promise.all(Array.from({ length: 300 }, ask)))).toBeGreaterThan(10);
  const inside = database.db.transaction(async (tx) => {
    for (let i = 0; i < 300; i += 1) await tx.execute('select sum(i) from generate_series(1, 5000) i');
  });
  expect(await turnsDuring(inside)).toBeGreaterThan(10);
  await database.close();
});

test.runIf(isNightly)('no function of the database is optimized with hundreds of megabytes of memory', async () => {
  const program = `
    import { openInMemory } from '${new URL('./pglite.ts', import.meta.url).href}';
    const { database } = await openInMemory();
    for (let i = 0; i < 2000; i += 1) await database.executeSql('select ' + i + ' where ' + i + ' > 5', []);
    await database.close();`;
  const flags = ['--trace-wasm-compilation-times', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { maxBuffer: 64 * 1024 * 1024 });
  const optimized = [...stdout.matchAll(/#(\d+) using TurboFan, took \d+ ms and (\d+) /gu)];
  const memory = optimized.map(([, , bytes]) => Number(bytes));
  expect(memory.length).toBeGreaterThan(20);
  expect(Math.max(...memory) / 1e6).toBeLessThan(150);
});
