import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { countStatements } from '../../../testing/count-statements.ts';
import { eventually } from '../../../testing/eventually.ts';
import { cookieOf, emptyApp, PASSWORD, type TestUser } from '../../../testing/harness.ts';
import { user } from '../accounts.table.ts';
import { ROWS_OF_EVENT } from './activity.queries.ts';
import { forgetOldActivity, noteActivity } from './activity.service.ts';
import { accountActivity } from './activity.table.ts';

const ADDRESS = '203.0.113.77';
const NETWORK = '203.0.113.0/24';
const lines: { event: string; account: string | null }[] = [];
let owner: TestUser;
const log = createLog((line) => void lines.push(JSON.parse(line)));
const app = await emptyApp({ env: { TRUSTED_PROXIES: '127.0.0.1' }, log });
beforeEach(async () => {
  lines.length = 0;
  owner = await app.signUpByRequest();
});

const signIn = (password = PASSWORD, address = ADDRESS) =>
  app.request('POST', '/api/auth/sign-in/email', {
    body: { email: owner.email, password },
    headers: { 'x-forwarded-for': address },
  });
const rowsOf = (event: ActivityEvent) =>
  app.deps.db.select().from(accountActivity).where(eq(accountActivity.event, event));
const linesOf = (event: ActivityEvent) =>
  lines.filter((line) => line.event === `security.${event}` && line.account === owner.uid);

describe('a row for what strangers repeat', () => {
  const fail = async (address: string) => {
    const before = linesOf('sign_in_failed').length;
    expect((await signIn('a guess', address)).status).toBe(401);
    await eventually(() => expect(linesOf('sign_in_failed')).toHaveLength(before + 1));
  };

  test('is one for each network and hour, with a count', async () => {
    for (const last of [1, 2, 3]) await fail(`203.0.113.${last}`);
    await fail('198.51.100.1');
    const counted = async () => (await rowsOf('sign_in_failed')).map((row) => [row.network, row.count]).toSorted();
    expect(await counted()).toEqual([
      ['198.51.100.0/24', 1],
      [NETWORK, 3],
    ]);
    await app.deps.db.update(accountActivity).set({ since: sql`now() - interval '61 minutes'` });
    await fail('203.0.113.1');
    expect(await counted()).toEqual([
      ['198.51.100.0/24', 1],
      [NETWORK, 1],
      [NETWORK, 3],
    ]);
  });

  test('is one of a hundred: the oldest of the event goes, nothing else does', async () => {
    const row = { userId: owner.uid, event: 'sign_in_failed' as const };
    const old = Array.from({ length: ROWS_OF_EVENT + 20 }, (_, i) => ({
      ...row,
      id: crypto.randomUUID(),
      network: `10.0.${i}.0/24`,
      at: new Date(Date.now() - (i + 1) * 60_000),
      since: new Date(0),
    }));
    await app.deps.db.insert(accountActivity).values(old);
    await fail(ADDRESS);
    await fail('198.51.100.1');
    const kept = await rowsOf('sign_in_failed');
    expect(kept.length).toBeLessThanOrEqual(ROWS_OF_EVENT + 1);
    expect(kept.map(({ network }) => network)).toEqual(
      expect.arrayContaining([NETWORK, '198.51.100.0/24', '10.0.0.0/24']),
    );
    expect(await rowsOf('account_opened')).toHaveLength(1);
  });
});

test('a note costs one statement; without its table there is the line, and nothing else fails', async () => {
  const { counted } = await countStatements(() => noteActivity(app.deps, owner.uid, 'sign_in', { about: 'password' }));
  expect(counted).toEqual({ statements: 1, roundTrips: 1 });
  await app.deps.database.executeSql('alter table account_activity rename to away');
  const answer = await signIn();
  await app.deps.database.executeSql('alter table away rename to account_activity');
  expect(answer.status).toBe(200);
  expect(linesOf('sign_in').at(-1)).toMatchObject({ account: owner.uid, about: 'password', network: NETWORK });
  expect(lines.map(({ event }) => event)).toContain('activity.not_kept');
});

describe('what a person sees of it', () => {
  const list = async (as = owner, query = '') => (await app.request('GET', `/api/me/activity${query}`, { as })).body;
  type Shown = { event: string; name: string | null; isHere: boolean; about: string | null; count: number };

  test('is theirs alone, the latest first, with the names of what still exists and which sign-in is theirs', async () => {
    await app.grantPro(owner.uid);
    const make = async (name: string) =>
      (await app.request('POST', '/api/keys', { as: owner, body: { name } })).body.key.id;
    await make('Cron job');
    await app.request('DELETE', `/api/keys/${await make('Script')}`, { as: owner });
    const second = { ...owner, cookie: cookieOf((await signIn()).headers) };
    const { activity } = await list(second);
    const shown = (activity as Shown[]).map(({ event, name, isHere }) => [event, name?.split(' …')[0] ?? null, isHere]);
    expect(shown).toEqual([
      ['sign_in', null, true],
      ['key_revoked', null, false],
      ['key_made', null, false],
      ['key_made', 'Cron job', false],
      ['account_opened', null, false],
    ]);
    expect((await list()).activity.map(({ isHere }: Shown) => isHere)).toEqual([false, true, true, true, true]);
    const other = await app.signUpByRequest();
    expect((await list(other)).activity.map(({ event }: Shown) => event)).toEqual(['account_opened']);
    expect((await app.request('GET', '/api/me/activity')).status).toBe(401);
    expect((await app.request('GET', '/api/me/activity?cursor=x', { as: owner })).status).toBe(400);
  });

  test('comes in pages, each row once', async () => {
    for (const about of ['a', 'b', 'c', 'd']) await noteActivity(app.deps, owner.uid, 'key_made', { about });
    await app.deps.db.update(accountActivity).set({ at: new Date() });
    const seen: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { activity, nextCursor } = await list(owner, `?limit=2${cursor}`);
      seen.push(...activity.map(({ about }: Shown) => about));
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'password']);
  });

  test('is told to their open pages', async () => {
    const heard: unknown[] = [];
    app.deps.live.subscribe(owner.uid, (message) => heard.push(message));
    await signIn('a guess');
    await eventually(() => expect(heard).toContainEqual({ event: 'changed', data: { topic: 'activity', id: '' } }));
  });

  test('is kept for 90 days', async () => {
    for (const [days, about] of [
      [91, 'old'],
      [89, 'young'],
    ] as const) {
      await noteActivity(app.deps, owner.uid, 'key_made', { about });
      const at = sql`now() - make_interval(days => ${days})`;
      await app.deps.db.update(accountActivity).set({ at }).where(eq(accountActivity.about, about));
    }
    await forgetOldActivity(app.deps);
    expect((await rowsOf('key_made')).map(({ about }) => about)).toEqual(['young']);
  });

  test('goes with the account', async () => {
    await app.deps.db.delete(user).where(eq(user.id, owner.uid));
    expect(await app.deps.db.$count(accountActivity)).toBe(0);
  });
});
