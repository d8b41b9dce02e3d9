import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { closing } from '../../testing/lifetimes.ts';

let uid: string;
let gaps = 0;
let heard: unknown[] = [];
let stop: () => Promise<void>;

const database = await closing(openTestDatabase());

beforeEach(async () => {
  uid = uuidv7();
  const email = `${uid}@example.com`;
  await database.db.execute(sql`insert into "user" (id, name, email) values (${uid}, 'Ada', ${email})`);
  await database.db.execute(sql`insert into profiles (user_id) values (${uid})`);
  heard = [];
  stop = await database.listen(
    'atelier_change',
    (payload) => heard.push(JSON.parse(payload)),
    () => {
      gaps += 1;
    },
  );
});
afterEach(() => stop());

/** Notices come in the order of their commits, so one of our own tells that all before it were heard. */
async function allHeard(): Promise<unknown[]> {
  const mark = uuidv7();
  await database.db.execute(sql`select pg_notify('atelier_change', ${JSON.stringify({ mark })})`);
  await eventually(() => expect(heard).toContainEqual({ mark }));
  return heard.filter((notice) => typeof notice === 'object' && notice !== null && !('mark' in notice));
}

test('a plan changed by hand is told, an update that leaves it as it is is not', async () => {
  await database.db.execute(sql`update profiles set subscription_status = 'free' where user_id = ${uid}`);
  await database.db.execute(sql`update profiles set agents_created = 3 where user_id = ${uid}`);
  expect(await allHeard()).toEqual([]);
  await database.db.execute(sql`update profiles set subscription_status = 'pro' where user_id = ${uid}`);
  expect(await allHeard()).toEqual([{ u: uid, t: 'account', i: uid }]);
});

test('a change that is rolled back is not told', async () => {
  const failing = database.db.transaction(async (tx) => {
    await tx.execute(sql`update profiles set subscription_status = 'pro' where user_id = ${uid}`);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await allHeard()).toEqual([]);
});

test('a sign-in that ends and an account that is banned are told', async () => {
  await database.db.execute(
    sql`insert into session (id, token, user_id, expires_at) values (${`s-${uid}`}, ${uid}, ${uid}, now())`,
  );
  await database.db.execute(sql`delete from session where user_id = ${uid}`);
  expect(await allHeard()).toEqual([{ u: uid, t: 'auth', i: `s-${uid}` }]);
  await database.db.execute(sql`update "user" set banned = true where id = ${uid}`);
  expect(await allHeard()).toContainEqual({ u: uid, t: 'auth', i: uid });
});

test('who has stopped listening hears no more', async () => {
  await stop();
  const other: string[] = [];
  const stopOther = await database.listen('atelier_change', (payload) => other.push(payload));
  await database.db.execute(sql`update profiles set subscription_status = 'pro' where user_id = ${uid}`);
  await eventually(() => expect(other).toHaveLength(1));
  expect(heard).toEqual([]);
  await stopOther();
});

if (process.env.TEST_DATABASE_URL !== undefined) {
  test('a lost connection comes back by itself and says that something may have been missed', async () => {
    const before = gaps;
    const cut = await database.executeSql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen %'`,
    );
    expect(cut.rows).toHaveLength(1);
    await eventually(() => expect(gaps).toBe(before + 1));
    await database.db.execute(sql`update profiles set subscription_status = 'pro' where user_id = ${uid}`);
    expect(await allHeard()).toEqual([{ u: uid, t: 'account', i: uid }]);
  });
}
