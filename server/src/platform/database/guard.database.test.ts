import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';
import { closing } from '../../testing/lifetimes.ts';

const database = await closing(openTestDatabase());

const INSIDE = /inside a transaction/;
const one = sql`select 1 as one`;

test('the outer handle throws at once inside a transaction, by whatever way, and the transaction goes on', async () => {
  const { db } = database;
  await db.transaction(async (tx) => {
    expect(() => db.execute(one)).toThrow(INSIDE);
    expect(() => db.select()).toThrow(INSIDE);
    await expect(db.transaction(async () => {})).rejects.toThrow(INSIDE);
    await expect(database.executeSql('select 1')).rejects.toThrow(INSIDE);
    await Promise.resolve();
    expect(() => db.execute(one)).toThrow(INSIDE);
    await tx.transaction(async (nested) => {
      expect(() => db.execute(one)).toThrow(INSIDE);
      expect(await nested.execute(one)).toMatchObject({ rows: [{ one: 1 }] });
    });
    expect(await tx.execute(one)).toMatchObject({ rows: [{ one: 1 }] });
  });
  expect(await db.execute(one)).toMatchObject({ rows: [{ one: 1 }] });
});

test('others may use the outer handle while a transaction is open elsewhere', async () => {
  let entered = () => {};
  const inside = new Promise<void>((done) => {
    entered = done;
  });
  let leave = () => {};
  const left = new Promise<void>((done) => {
    leave = done;
  });
  const transaction = database.db.transaction(async () => {
    entered();
    await left;
  });
  await inside;
  const outside = database.db.execute(one);
  leave();
  expect(await outside).toMatchObject({ rows: [{ one: 1 }] });
  await transaction;
});

test('work that a transaction leaves running may use the outer handle once it has ended, also after a failure', async () => {
  let later: Promise<unknown> = Promise.resolve();
  let ended = () => {};
  const end = new Promise<void>((done) => {
    ended = done;
  });
  const failing = database.db.transaction(async () => {
    later = end.then(() => database.db.execute(one));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  ended();
  expect(await later).toMatchObject({ rows: [{ one: 1 }] });
});

test('a script that fails leaves no open transaction behind', async () => {
  await expect(database.executeSql('begin; select 1/0; commit')).rejects.toThrow(/division by zero/);
  expect((await database.executeSql('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
