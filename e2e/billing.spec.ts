import type { Page } from '@playwright/test';
import { type FakePaystack, TEST_KEYS } from '../server/src/testing/fake-paystack.ts';
import { alert, checkout, expectSaid, upgrade } from './checkout.ts';
import { expect, test } from './journey.ts';
import { overHttps, simulatePaystack, startShop } from './paystack.ts';
import { keepNotices, register } from './workshop.ts';

// One worker for the whole file, so that the shop starts once.
test.describe.configure({ mode: 'default' });
test.use({ baseURL: async ({ shop }, use) => use(shop.server.url) });

/** The newest reference that this person was given. */
const referenceOf = ({ paystack }: { paystack: FakePaystack }, email: string) => {
  const own = [...paystack.transactions.values()].filter((transaction) => transaction.email === email);
  return own.at(-1)?.reference ?? '';
};
/** Presses in the provider's frame. A click may be lost there: until the frame is painted, it goes to the page below. */
const press = (page: Page, name: string) =>
  checkout(page).getByRole('button', { name, exact: true }).dispatchEvent('click');

test('every event of the real library is answered; a payment makes Pro in both tabs @desk', async ({
  page,
  context,
  shop,
}) => {
  const received: Promise<string>[] = [];
  // What another page cuts off would never be read to its end.
  context.on('requestfinished', (request) => {
    if (!request.url().startsWith(shop.server.url)) return;
    received.push(
      request
        .response()
        .then((response) => response?.text() ?? '')
        .catch(() => ''),
    );
  });
  await simulatePaystack(context);
  const { email } = await register(page);
  await page.goto('/billing');
  await expect(page.getByText('Paid by Paystack.')).toBeVisible();
  for (const [button, sentence] of [
    ['Close', 'Transaction was not completed.'],
    ['Cancel', 'Transaction was not completed.'],
    ['Error', 'Unable to load payment form. Please try again later.'],
    ['Pending', 'Your bank transfer is still being confirmed.'],
  ] as const) {
    await upgrade(page).click();
    await press(page, 'Nonsense');
    await press(page, 'Other error');
    await press(page, button);
    await expectSaid(page, sentence);
  }
  const issued = [...shop.paystack.transactions.values()].filter((transaction) => transaction.email === email);
  expect(issued).toHaveLength(1);

  const other = await context.newPage();
  await other.goto('/billing');
  // A transfer may never come; another way to pay is still open, in every tab.
  for (const tab of [page, other]) await expect(upgrade(tab)).toBeHidden();
  await page.getByRole('button', { name: 'Pay another way' }).click();
  await expect(checkout(page).getByText(`code-${referenceOf(shop, email)}`)).toBeVisible();
  shop.paystack.pay(referenceOf(shop, email));
  for (const tab of [page, other]) await keepNotices(tab);
  await press(page, 'Success');
  for (const tab of [page, other]) {
    await expect(tab.getByText('Payment successful! You now have Pro access.')).toHaveCount(1);
    await expect(tab.getByText('Pro — Lifetime Access')).toBeVisible();
  }
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Launch Runtime' })).toBeVisible();
  await expect(page.getByText(/^Upgrade/u).filter({ visible: true })).toHaveCount(0);
  const all = (await Promise.all(received)).join('\n');
  expect(all).toContain(TEST_KEYS.open);
  expect(all).not.toContain(TEST_KEYS.secret);
});

test('the notice comes before the browser is back; a window closed after paying is no failure @desk', {
  tag: '@night',
}, async ({ page, context, shop }) => {
  await simulatePaystack(context);
  const { email } = await register(page);
  await page.goto('/billing');
  await upgrade(page).click();
  await expect(checkout(page).getByText('code-')).toBeVisible();
  const reference = referenceOf(shop, email);
  shop.paystack.pay(reference);
  const { body, signature } = shop.paystack.notice('charge.success', shop.paystack.transactions.get(reference));
  const headers = { 'x-paystack-signature': signature };
  await keepNotices(page);
  const answer = await fetch(`${shop.server.url}/api/webhooks/paystack`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
  await expect(page.getByText('Pro — Lifetime Access')).toBeVisible();
  await press(page, 'Close');
  await expect(checkout(page).owner()).toBeHidden();
  await expect(page.getByText('Payment successful! You now have Pro access.')).toHaveCount(1);
  await expect(alert(page)).toBeHidden();
});

test('“I paid but am still Free” finds a payment that nobody told of @desk', { tag: '@night' }, async ({
  page,
  context,
  shop,
  complaints,
}) => {
  await simulatePaystack(context);
  const { email } = await register(page);
  await page.goto('/billing');
  await upgrade(page).click();
  await press(page, 'Close');
  await expectSaid(page, 'Transaction was not completed.');
  complaints.expectConsole(/ERR_FAILED/u);
  await page.route('**/api/me', (route) => route.abort());
  await page.getByRole('link', { name: 'Refresh Plan Status' }).click();
  await expect(page.getByText('Failed to refresh plan status. Please try again.')).toBeVisible();
  await page.unroute('**/api/me');
  const reloaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Refresh Plan Status' }).click();
  await reloaded;
  const again = page.getByRole('button', { name: 'I paid but am still Free' });
  await again.click();
  await expect(page.getByText('none is complete yet')).toBeVisible();
  shop.paystack.pay(referenceOf(shop, email));
  await again.click();
  await expect(page.getByText('Pro — Lifetime Access')).toBeVisible();
});

test('Apple Pay: a failed charge says so, the next one makes Pro @desk', { tag: '@night' }, async ({
  browser,
  complaints,
  shop,
}) => {
  complaints.expectConsole(/apple-pay-sdk\.js/u);
  const https = await overHttps(shop.server.url);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  let email = '';
  let charges = 0;
  await simulatePaystack(context, () => {
    charges += 1;
    if (charges === 1) return { status: 'error', message: 'declined' };
    shop.paystack.pay(referenceOf(shop, email));
    return { status: 'success', message: 'ok' };
  });
  // Apple's own file is not there: the library then draws its own button.
  await context.route('https://applepay.cdn-apple.com/**', (route) => route.abort());
  await context.addInitScript(() => {
    class ApplePaySession {
      static supportsVersion = () => true;
      onvalidatemerchant: (event: object) => void = () => {};
      onpaymentauthorized: (event: object) => void = () => {};
      begin = () => this.onvalidatemerchant({ validationURL: 'https://apple.example' });
      completeMerchantValidation = () => this.onpaymentauthorized({ payment: {} });
      completePayment = () => {};
    }
    Object.assign(globalThis, { ApplePaySession });
  });
  const page = await context.newPage();
  ({ email } = await register(page, undefined, https.url));
  await page.goto(`${https.url}/billing`);
  await upgrade(page).click();
  const dialog = page.getByRole('dialog', { name: 'Choose how to pay' });
  const apple = dialog.getByRole('button', { name: 'Pay with Apple Pay' });
  await apple.click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'An error occurred while paying with Apple Pay. Please try again or use another payment method.',
  );
  await dialog.getByRole('button', { name: 'Pay another way' }).click();
  await press(page, 'Close');
  await expectSaid(page, 'Transaction was not completed.');
  await upgrade(page).click();
  await apple.click();
  await expect(page.getByText('Payment successful! You now have Pro access.')).toBeVisible();
  await expect(page.getByText('Pro — Lifetime Access')).toBeVisible();
  await context.close();
  await https.close();
});

test('a success that the provider has not confirmed gives nothing, and nobody is asked to pay twice @desk', async ({
  page,
  context,
  shop,
}) => {
  await simulatePaystack(context);
  const { email } = await register(page);
  await page.goto('/billing');
  await upgrade(page).click();
  await press(page, 'Success');
  await expectSaid(page, 'Your payment is being confirmed.');
  const other = await context.newPage();
  await other.goto('/library');
  await page.reload();
  for (const tab of [page, other]) {
    await expect(tab.getByText('You don’t need to pay again.')).toBeVisible();
    await expect(upgrade(tab)).toBeHidden();
  }
  await expect(page.getByRole('article')).toContainText('Being confirmed');
  await expect(page.getByRole('article')).not.toContainText('Not paid');
  shop.paystack.pay(referenceOf(shop, email));
  await page.getByRole('button', { name: 'I paid but am still Free' }).click();
  await expect(page.getByText('Payment successful! You now have Pro access.')).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Favorited Agents' })).toBeVisible();
});

test('money that does not fit is not asked for twice: card, button and receipt say the same @desk', {
  tag: '@night',
}, async ({ page, context, shop }) => {
  await simulatePaystack(context);
  const { email } = await register(page);
  await page.goto('/billing');
  await upgrade(page).click();
  await expect(checkout(page).getByText('code-')).toBeVisible();
  shop.paystack.pay(referenceOf(shop, email), { amount: 27_499 });
  await press(page, 'Success');
  const sentence = 'Payment succeeded, but we couldn’t update your account. Please contact support.';
  await expectSaid(page, sentence);
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: sentence })).toBeVisible();
  await expect(page.getByRole('article')).toContainText('Wrong amount or currency: please contact support');
  await page.getByRole('button', { name: 'I paid but am still Free' }).click();
  await expect(page.getByText('We found your payment, but its amount or currency')).toBeVisible();
  await expect(upgrade(page)).toBeHidden();
});

test('the server dies between payment and grant: the sentence, and Pro follows by itself, once @desk', {
  tag: '@night',
}, async ({ browser, complaints }) => {
  complaints.expectConsole(/net::ERR/u);
  const { server, paystack } = await startShop();
  const context = await browser.newContext({ baseURL: server.url });
  await simulatePaystack(context);
  const page = await context.newPage();
  await register(page);
  await page.goto('/billing');
  await upgrade(page).click();
  await expect(checkout(page).getByText('code-')).toBeVisible();
  const reference = [...paystack.transactions.keys()].at(-1) ?? '';
  paystack.pay(reference);
  paystack.behave('hold');
  const asked = paystack.calls.length;
  await press(page, 'Success');
  // The provider is being asked; its answer never gets through.
  await expect.poll(() => paystack.calls.length).toBeGreaterThan(asked);
  await server.kill();
  await expect(alert(page)).toContainText(
    'Payment succeeded, but we couldn’t update your account. Please contact support.',
  );
  await alert(page).getByRole('button', { name: 'OK' }).click();
  // The server has not heard of it, but this browser remembers.
  await expect(page.getByText('You don’t need to pay again.')).toBeVisible();
  await expect(upgrade(page)).toBeHidden();
  await expect(page.getByRole('article')).toContainText('Being confirmed');
  await expect(page.getByRole('article')).not.toContainText('Not paid');
  paystack.behave('none');
  await server.restart();
  await expect(page.getByText('Pro — Lifetime Access')).toBeVisible();
  const books = await server.admin('payments');
  // Found by whichever asked first, the server by itself or the page that reports again.
  expect(books.match(/ paid \((?:reconciliation|browser)\)/gu)).toHaveLength(1);
  await context.close();
  await server.stop();
  await paystack.close();
});

test('pages may frame and call Paystack only where a key is set, and the sandbox is there only without one @desk', async ({
  shop,
  server,
}) => {
  const headersOf = async (url: string) => {
    const { status, headers } = await fetch(url);
    return { status, policy: headers.get('content-security-policy') ?? '', frame: headers.get('x-frame-options') };
  };
  const [open, paid] = [await headersOf(`${server.url}/billing`), await headersOf(`${shop.server.url}/billing`)];
  expect(open.policy).toContain("frame-src 'self';");
  expect(open.policy).not.toContain('paystack');
  expect(paid.policy).toContain("frame-src 'self' https://checkout.paystack.com;");
  for (const page of [open, paid]) {
    expect(page.policy).toContain("frame-ancestors 'none'");
    expect(page.frame).toBe('DENY');
  }
  const sandbox = await headersOf(`${server.url}/sandbox/checkout.html`);
  expect(sandbox).toMatchObject({ status: 200, frame: 'SAMEORIGIN' });
  expect(sandbox.policy).toContain("frame-ancestors 'self'");
  for (const file of ['checkout.html', 'checkout.js']) {
    expect((await headersOf(`${shop.server.url}/sandbox/${file}`)).status).toBe(404);
  }
});
