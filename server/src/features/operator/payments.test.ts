import { beforeEach, expect, test } from 'vitest';
import type { TestUser } from '../../testing/harness.ts';
import { actsOf } from '../../testing/operator-acts.ts';
import { openShop } from '../../testing/shop.ts';
import { runAdminCommand } from './operator.service.ts';

const shop = await openShop();
let operator: TestUser;
beforeEach(async () => {
  operator = await shop.app.signUp('Boss');
});

type Booked = { reference: string; state: string; attention: boolean; mayAsk: boolean };
const list = async (query = '') =>
  (await shop.app.request('GET', `/api/admin/payments${query}`, { as: operator })).body;
const booked = async (query = ''): Promise<Booked[]> => (await list(query)).payments;
const ask = (reference: string, body: object = {}) =>
  shop.app.request('POST', `/api/admin/payments/${reference}/ask`, { as: operator, body });
const acts = () => actsOf(shop.app, operator, ({ what, about, subject }) => [what, about, subject?.id]);

test('begins with refunds and disputes, then the newest, each with its history', async () => {
  const [first, second, third] = [await shop.buyer(), await shop.buyer(), await shop.buyer()];
  await shop.app.grantPro(first.caller.uid);
  shop.paystack.pay(first.reference);
  await shop.verify(first.caller, first.reference);
  expect((await booked()).map(({ reference }) => reference)).toEqual([
    first.reference,
    third.reference,
    second.reference,
  ]);
  shop.paystack.pay(second.reference);
  await shop.verify(second.caller, second.reference);
  const dispute = { id: 7, transaction: { reference: second.reference } };
  expect((await shop.notify(shop.paystack.notice('charge.dispute.create', dispute))).status).toBe(200);
  const found = (await list()).payments;
  expect(found).toMatchObject([
    { reference: second.reference, state: 'paid', attention: true, mayAsk: false },
    { reference: first.reference, state: 'refund_due', attention: true, account: { email: first.caller.email } },
    { reference: third.reference, state: 'open', attention: false, mayAsk: true, provider: 'paystack' },
  ]);
  const entries = found[0].events.map(({ entry }: { entry: string }) => entry);
  expect(entries).toEqual(['issued', 'open', 'paid', 'charge.dispute.create']);
  const { message } = await runAdminCommand(shop.app.deps, ['payments']);
  const at = [second, first, third].map(({ reference }) => message.indexOf(reference));
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect((await booked(`?account=${third.caller.uid}`)).map(({ reference }) => reference)).toEqual([third.reference]);
});

test('comes in pages, each payment once; a strange cursor is refused', async () => {
  for (let i = 0; i < 4; i += 1) await shop.buyer();
  await shop.app.deps.database.executeSql(
    'update payments set attention = true where reference = (select min(reference) from payments)',
  );
  const whole = (await booked()).map(({ reference }) => reference);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { payments, nextCursor } = await list(`?limit=1${cursor}`);
    seen.push(...payments.map(({ reference }: Booked) => reference));
    if (nextCursor === null) break;
    cursor = `&cursor=${nextCursor}`;
  }
  expect([seen, seen.length]).toEqual([whole, 4]);
  for (const query of ['?cursor=x', '?limit=0'])
    expect((await shop.app.request('GET', `/api/admin/payments${query}`, { as: operator })).status).toBe(400);
});

test('the provider is asked again, also twice at once, and what it says is recorded once', async () => {
  const { caller, reference } = await shop.buyer();
  shop.paystack.pay(reference);
  const answers = await Promise.all([ask(reference, { reason: 'a letter' }), ask(reference)]);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(await booked()).toMatchObject([{ reference, state: 'paid', mayAsk: false }]);
  expect((await shop.account(caller)).subscriptionStatus).toBe('pro');
  expect(await shop.ledger(reference)).toEqual(['issued checkout', 'open checkout', 'paid reconciliation']);
  const again = await ask(reference);
  expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('Nothing can change')]);
  expect(await acts()).toContainEqual(['payment_asked', reference, caller.uid]);
});

test('that it was asked is written down even where the provider is away', async () => {
  const { caller, reference } = await shop.buyer();
  shop.paystack.behave('error');
  const { status, body } = await ask(reference);
  expect([status, body.error.code]).toEqual([502, 'provider_failed']);
  expect(await acts()).toEqual([['payment_asked', reference, caller.uid]]);
});

test('a payment of a provider that is not set up can’t be asked about', async () => {
  const { reference } = await shop.buyer();
  await shop.app.deps.database.executeSql(`update payments set provider = 'sandbox'`);
  expect((await booked())[0]?.mayAsk).toBe(false);
  const { status, body } = await ask(reference);
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('not set up here')]);
});

test('needs a payment, and no odd body', async () => {
  const { reference } = await shop.buyer();
  expect((await ask(reference, { more: 1 })).status).toBe(400);
  expect((await ask('nothing')).status).toBe(404);
  expect(await acts()).toEqual([]);
});
