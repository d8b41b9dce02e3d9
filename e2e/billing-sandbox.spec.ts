import { alert, checkout, choose, expectSaid, upgrade } from './checkout.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { fillSignUp, register } from './workshop.ts';

test('in the sandbox: every other outcome says so and leaves Free, then success makes Pro in both tabs', async ({
  page,
  context,
}) => {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(new URL(request.url()).host));
  await register(page);
  await page.goto('/billing');
  await expect(page.getByText('15 USD')).toBeVisible();
  await expect(page.getByText('ZAR 275.00').first()).toBeVisible();
  await expectAccessible(page);

  await choose(page, 'Decline');
  await expectSaid(page, 'Transaction was not completed.');
  await expect(upgrade(page)).toBeFocused();
  await choose(page, 'Cancel');
  await expectSaid(page, 'Transaction was not completed.');
  await choose(page, 'Setup error');
  await expectSaid(page, 'Unable to load payment form. Please try again later.');

  const other = await context.newPage();
  await other.goto('/billing');
  await expect(other.getByText('Free', { exact: true })).toBeVisible();
  await upgrade(page).click();
  // Another click while it is open does nothing.
  await upgrade(page).dispatchEvent('click');
  await expect(checkout(page).getByRole('heading', { name: 'Choose how this test payment ends' })).toBeVisible();
  expect((await page.request.get('/sandbox/sans.woff2')).headers()['content-type']).toBe('font/woff2');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await checkout(page)
    .getByRole('button', { name: /^Success/u })
    .click();
  await expect(page.getByText('Payment successful! You now have Pro access.')).toBeVisible();
  for (const tab of [page, other]) await expect(tab.getByText('Pro — Lifetime Access')).toBeVisible();
  await expect(page.getByText('Thank you for supporting')).toBeVisible();
  await expect(upgrade(page)).toBeHidden();
  await expect(page.locator('iframe[id^="inline-checkout-"]')).toBeHidden();
  const receipt = page.getByRole('article', { name: /^Receipt/u });
  await expect(receipt).toContainText('Paid');
  await expect(receipt).toContainText('ZAR 275.00');
  await expect(receipt).toContainText('Sandbox: no money moved.');
  await expect(receipt).not.toContainText(/by your browser|Checkout opened/u);
  await expect(page.getByRole('link', { name: 'See what your agents remember' })).toBeVisible();
  await expectAccessible(page);
  await page.evaluate(
    `window.print = () => { document.title = document.querySelector('[data-printing]').textContent }`,
  );
  await receipt.getByRole('button', { name: 'Print' }).click();
  await expect(page).toHaveTitle(/Atelier Pro, for a lifetime · Paid.*ZAR 275\.00.*Reference.*atelier-/u);
  // The library asks nothing of a host outside.
  expect(new Set(asked)).toEqual(new Set([new URL(page.url()).host]));
});

test('in the sandbox: a bank transfer is waited for, and makes Pro when it arrives', { tag: '@night' }, async ({
  page,
}) => {
  await register(page);
  await page.goto('/billing');
  await choose(page, 'Bank transfer pending');
  await expectSaid(page, 'Your bank transfer is still being confirmed.');
  await page.reload();
  await expect(page.getByText('Your plan changes by itself once it has arrived.')).toBeVisible();
  await expect(upgrade(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Pay another way' })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('Pro — Lifetime Access')).toBeVisible();
  await expect(page.getByRole('article', { name: /^Receipt/u })).toContainText('Paid');
});

test('a form that never appears is given up after 30 seconds, and the next one works', { tag: '@night' }, async ({
  page,
}) => {
  await register(page);
  await page.goto('/billing');
  await expect(upgrade(page)).toBeVisible();
  await page.clock.install();
  // Time moves only when the journey moves it.
  await page.clock.pauseAt(Date.now() + 60_000);
  await choose(page, 'Silence');
  await expect(checkout(page).getByRole('heading', { name: 'Silence' })).toBeVisible();
  await page.clock.runFor(29_000);
  await expect(alert(page)).toBeHidden();
  await page.clock.runFor(2_000);
  await expectSaid(page, 'Unable to load payment form. Please try again later.');
  await page.clock.resume();
  // The same button stands in the library.
  await page.goto('/library');
  await expect(page.getByText('Pro Feature: This section is only available to Pro users.')).toBeVisible();
  await choose(page, 'Success');
  await expect(page.getByRole('heading', { name: 'Favorited Agents' })).toBeVisible();
});

test('a visitor is told to sign up before buying', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign up to purchase' }).click();
  await expect(alert(page)).toContainText('You must be signed in to purchase.');
  await expectAccessible(page);
  await alert(page).getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/signup\?from=%2Fbilling$/u);
  // The same within the application, and it leads to the checkout that was asked for.
  await page.goto('/login');
  // Before its scripts have run, a link leads to the page without the application.
  await expect(page.getByRole('button', { name: 'Log In' })).toBeEnabled();
  await page.getByRole('link', { name: 'Atelier' }).first().click();
  await page.getByRole('button', { name: 'Sign up to purchase' }).click();
  await expect(alert(page)).toContainText('You must be signed in to purchase.');
  await alert(page).getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/signup$/u);
  const { origin } = new URL(page.url());
  await fillSignUp(page);
  await expect(page).toHaveURL(`${origin}/billing`);
  await expect(upgrade(page)).toBeVisible();
});
