import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { emptyApp } from '../../testing/harness.ts';
import { profiles } from '../accounts/accounts.table.ts';
import { grantPro } from './billing.service.ts';
import { proGrants } from './billing.table.ts';

const app = await emptyApp();

const paidAt = new Date('2026-01-02T03:04:05.678Z');

test('20 parallel grants of one payment make one, and the other user stays free', async () => {
  const [caller, other] = [await app.signUp(), await app.signUp()];
  const grant = { userId: caller.uid, source: 'payment', reason: 'paid', reference: 'ref-1', paidAt } as const;
  const results = await Promise.all(Array.from({ length: 20 }, () => grantPro(app.deps, grant)));
  expect(results.filter((r) => r.granted)).toHaveLength(1);
  expect(await app.deps.db.select().from(proGrants)).toHaveLength(1);
  const { body } = await app.request('GET', '/api/me', { as: caller });
  expect(body.account).toMatchObject({
    subscriptionStatus: 'pro',
    subscriptionTier: 'pro',
    lastReference: 'ref-1',
    lastPaidAt: paidAt.getTime(),
  });
  expect((await app.request('GET', '/api/me', { as: other })).body.account.subscriptionStatus).toBe('free');
});

test('a payment of somebody who is Pro already is written down, once', async () => {
  const caller = await app.signUp();
  const userId = caller.uid;
  await grantPro(app.deps, { userId, source: 'operator', reason: 'friend' });
  await grantPro(app.deps, { userId, source: 'operator', reason: 'friend' });
  for (const _ of [1, 2]) {
    const result = await grantPro(app.deps, { userId, source: 'payment', reason: 'paid', reference: 'ref-2', paidAt });
    expect(result).toEqual({ granted: false });
  }
  expect(await app.deps.db.select().from(proGrants)).toHaveLength(2);
  const [profile] = await app.deps.db.select().from(profiles).where(eq(profiles.userId, userId));
  expect(profile).toMatchObject({ lastReference: 'ref-2', lastPaidAt: paidAt });
});

test('every open tab hears of the new plan', async () => {
  const caller = await app.signUp();
  const heard: unknown[] = [];
  const stop = app.deps.live.subscribe(caller.uid, (message) => heard.push(message));
  await app.grantPro(caller.uid);
  await expect.poll(() => heard).toContainEqual({ event: 'changed', data: { topic: 'account', id: caller.uid } });
  stop();
});

test('an unknown account is an error', async () => {
  await expect(grantPro(app.deps, { userId: 'nobody', source: 'operator', reason: 'x' })).rejects.toThrow('no account');
});
