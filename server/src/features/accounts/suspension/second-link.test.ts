import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { cookieJar } from '../../../testing/cookie-jar.ts';
import { emptyApp, ORIGIN, PASSWORD, type TestUser } from '../../../testing/harness.ts';
import { closing } from '../../../testing/lifetimes.ts';
import { signInAt } from '../../../testing/mcp/oauth-server.ts';
import { startGoogle } from '../../../testing/sign-in-providers.ts';
import { authAccount, authSession } from '../accounts.identity.table.ts';
import { suspendWays } from './suspension.service.ts';

// A person has at most one account of each provider, however it comes.

const BACK = `${ORIGIN}/api/auth/callback/google`;
const google = await closing(startGoogle(BACK));
const app = await emptyApp({ env: { ...google.env, PUBLIC_URL: ORIGIN, FETCH_ALLOWED: '127.0.0.1' } });
beforeEach(() => {
  for (const name of ['ada', 'bob']) {
    google.people.set(name, { email: `${name}@example.com`, email_verified: true, name });
  }
});

function browserOf(owner: TestUser) {
  const { request } = cookieJar(app, owner.cookie);
  const post = (path: string, body: unknown) => request('POST', `/api/auth${path}`, body);
  const begin = async () => (await post('/link-social', { provider: 'google', password: PASSWORD })).body.url;
  const finish = async (url: string, as: string) =>
    (await request('GET', (await signInAt(url, BACK, as)).slice(ORIGIN.length))).headers.get('location');
  const ways = async () => (await request('GET', '/api/auth/ways')).body;
  return { post, begin, finish, ways };
}

test('a suspended one can’t be kept beside another: it is named, and kept once that is unlinked', async () => {
  const owner = await app.signUpByRequest();
  const { post, begin, finish, ways } = browserOf(owner);
  expect(await finish(await begin(), 'ada')).toBe('/account?linked=google');
  await app.deps.db.transaction((tx) => suspendWays(app.deps, tx, owner.uid, { twoFactor: false }));
  expect(await finish(await begin(), 'bob')).toBe('/account?linked=google');
  const [{ id }] = (await ways()).suspended;
  const keep = () => post('/keep-ways', { ids: [id], password: PASSWORD });
  const refused = await keep();
  const sentence = 'An account at Google is linked already. Unlink it first.';
  expect([refused.status, refused.body.error?.message]).toEqual([409, sentence]);
  expect(await ways()).toMatchObject({ ways: [{ kind: 'provider' }], suspended: [{ id }] });
  expect((await post('/unlink-account', { provider: 'google' })).status).toBe(200);
  expect((await keep()).status).toBe(200);
});

test('of two that are linked at once, the second one is refused as it comes back', async () => {
  const owner = await app.signUpByRequest();
  const [one, two] = [browserOf(owner), browserOf(owner)];
  const [first, second] = [await one.begin(), await two.begin()];
  expect(await one.finish(first, 'ada')).toBe('/account?linked=google');
  expect(await two.finish(second, 'bob')).toMatch(/^\/account\?error=unable_to_link_account/u);
  expect((await one.ways()).ways).toHaveLength(1);
});

test('of two that come back in one moment, the one that is written later is refused', async () => {
  const owner = await app.signUpByRequest();
  const { begin, finish } = browserOf(owner);
  const url = await begin();
  // The other one is written after it was looked for.
  await app.deps.database.executeSql(`create function link_first() returns trigger language plpgsql as $$ begin
    if pg_trigger_depth() = 1 then
      insert into account select (new).*;
      new.id := 'later';
      new.account_id := 'later';
    end if;
    return new; end $$`);
  await app.deps.database.executeSql(
    'create trigger link_first before insert on account for each row execute function link_first()',
  );
  const place = await finish(url, 'ada').finally(() =>
    app.deps.database.executeSql('drop function link_first cascade'),
  );
  expect(place).toBe('/account?error=unable_to_link_account');
});

test.each(['ended elsewhere', 'left out of the request'])(
  'a link doesn’t outlive the sign-in that began it: %s',
  async (how) => {
    const owner = await app.signUpByRequest();
    const { begin, finish } = browserOf(owner);
    const url = await begin();
    if (how === 'ended elsewhere') await app.deps.db.delete(authSession);
    const back =
      how === 'ended elsewhere' ? finish(url, 'ada') : browserOf({ ...owner, cookie: '' }).finish(url, 'ada');
    expect(await back).toMatch(/error=/u);
    expect(await app.deps.db.$count(authAccount, eq(authAccount.providerId, 'google'))).toBe(0);
  },
);
