import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { countStatements } from './count-statements.ts';
import { borrowTestDatabase } from './database.ts';
import { closing } from './lifetimes.ts';

const database = await closing(borrowTestDatabase());

const sentBy = async (work: () => Promise<unknown>) => (await countStatements(work)).counted;

it('counts statements and round trips below Drizzle, with the ends of a transaction', async () => {
  const transaction = () =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`select ${1}::int`);
      await tx.execute(sql`select ${2}::int`);
    });
  expect(await sentBy(transaction)).toEqual({ statements: 4, roundTrips: 4 });
});

it('counts each statement of a script, and one round trip for all', async () => {
  expect(await sentBy(() => database.executeSql('select 1; select 2;'))).toEqual({ statements: 2, roundTrips: 1 });
});

it('counts what work goes on to do after it has answered, and nothing of others', async () => {
  let goOn = () => {};
  const later = new Promise<void>((done) => (goOn = done));
  let run: Promise<unknown> = Promise.resolve();
  const { counted } = await countStatements(async () => {
    run = later.then(() => database.executeSql('select $1::int', [1]));
  });
  await database.executeSql('select $1::int', [2]);
  expect(counted).toEqual({ statements: 0, roundTrips: 0 });
  goOn();
  await run;
  expect(counted).toEqual({ statements: 1, roundTrips: 1 });
});

it('counts each statement for its own work when many wait for a connection', async () => {
  const ask = async (i: number) => {
    for (let round = 0; round < 5; round += 1) await database.executeSql('select $1::int', [i]);
  };
  const counts = await Promise.all(Array.from({ length: 60 }, (_, i) => sentBy(() => ask(i))));
  for (const counted of counts) expect(counted).toEqual({ statements: 5, roundTrips: 5 });
});
