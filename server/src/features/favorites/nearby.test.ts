import { beforeEach, expect, test } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { changeSettings } from '../settings/settings.service.ts';

let ada: TestUser;
let puppets: TestUser[];
// The test's requests have no socket and count as 127.0.0.1: a trusted proxy here, which names the client.
const app = await emptyApp({ env: { TRUSTED_PROXIES: '127.0.0.1', ACCOUNT_BOUNDS: '1' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  for (const name of ['Field Notes', 'Planner'])
    await app.call(ada, 'POST', '/api/agents', { name, prompt: 'p', isPublic: true });
  puppets = await Promise.all(Array.from({ length: 12 }, (_, at) => app.signUp(`Puppet ${at}`)));
});

const favorite = (as: TestUser | undefined, address: string, id = 'field-notes') =>
  app.request('PUT', `/api/favorites/${ada.uid}/${id}`, { as, headers: { 'x-forwarded-for': address } });
const count = async (id = 'field-notes') =>
  (await app.call(ada, 'GET', `/api/explore/${ada.uid}/${id}`)).agent.favoriteCount;

test.each([
  ['IPv4', (at: number) => `203.0.113.${at}`, '203.0.114.1'],
  ['IPv6', (at: number) => `2001:db8:7:${at}::1`, '2001:db8:8::1'],
])('accounts on one network of %s favorite an agent five times an hour, also at once', async (_kind, near, far) => {
  const answers = await Promise.all(puppets.map((puppet, at) => favorite(puppet, near(at))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(await count()).toBe(5);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error.message).toMatch(
    /^Many people on your network have just favorited this agent\. Please try again in \d+ minutes\.$/u,
  );
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_000);
  const [one, two] = puppets.filter((_, at) => answers[at]?.status === 429);
  expect((await favorite(one, far)).status).toBe(200);
  expect((await favorite(two, near(1), 'planner')).status).toBe(200);
  expect([await count(), await count('planner')]).toEqual([6, 1]);
});

test('repeating one’s own favorite counts once, and a network of the operator’s is not bounded', async () => {
  for (let at = 0; at < 8; at += 1) expect((await favorite(puppets[0], '203.0.113.7')).status).toBe(200);
  expect((await favorite(puppets[1], '203.0.113.8')).status).toBe(200);
  await changeSettings(app.deps, { 'own-networks': ['198.51.100.0/24'] });
  const school = await Promise.all(puppets.map((puppet) => favorite(puppet, '198.51.100.7')));
  expect(school.map(({ status }) => status)).toEqual(puppets.map(() => 200));
  expect(await count()).toBe(puppets.length);
});
