import type { Page } from '@playwright/test';
import { mailsTo, startFakeSmtp } from '../server/src/testing/fake-smtp.ts';
import { codeOf, nextCodeOf } from '../server/src/testing/ways-in.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import { logIn, newPerson, openAccount, register, signUp } from './workshop.ts';

const NEW_PASSWORD = 'a better password';

async function chooseNewPassword(page: Page, link: string) {
  const { pathname, hash } = new URL(link);
  await page.goto(`${pathname}${hash}`);
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByText('Your password is changed, and all devices are signed out.')).toBeVisible();
}

test('the email is confirmed by a mailed link, and a forgotten password is reset by another', async ({ browser }) => {
  const smtp = await startFakeSmtp();
  const server = await startServer({ SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' });
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const person = newPerson();
  const origin = server.url;
  await page.request.post('/api/auth/sign-up/email', { headers: { origin }, data: person });
  await page.goto('/account');
  await expect(page.getByText('Not confirmed yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Send the mail again' }).click();
  await expect
    .poll(() => mailsTo(smtp, person.email).filter(({ subject }) => subject.includes('confirm')).length)
    .toBe(2);
  const again = mailsTo(smtp, person.email).findLast(({ subject }) => subject.includes('confirm'));
  // Somebody with another sign-in could have made this key.
  await server.admin('grant-pro', person.email, '--reason', 'journey');
  const key = await page.request.post('/api/keys', { headers: { origin }, data: { name: 'Script' } });
  expect(key.status()).toBe(201);
  await page.request.post('/api/auth/sign-in/email', { headers: { origin }, data: person });
  const { pathname, hash } = new URL(again?.link ?? '');
  await page.goto(`${pathname}${hash}`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`Thank you! You have confirmed ${person.email}.`)).toBeVisible();
  await expect(page.getByText('Another way into your account is suspended')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to your account' }).click();
  const suspended = page.getByRole('region', { name: 'Suspended' });
  await suspended.getByLabel('API key “Script').check();
  await suspended.getByRole('button', { name: 'Keep what is chosen' }).click();
  await expect(suspended).toBeHidden();
  await expect(page.getByText(person.email).first()).toBeVisible();
  await expect(page.getByText('Not confirmed yet.')).toBeHidden();

  await context.clearCookies();

  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The page before has a field of that name too.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'has an account' })).toContainText(person.email);
  await expectNoSidewaysScroll(page);
  const linkIn = (subject: string) =>
    mailsTo(smtp, person.email).find((mail) => mail.subject.includes(subject))?.link ?? '';
  await expect.poll(() => linkIn('reset your password')).not.toBe('');
  await chooseNewPassword(page, linkIn('reset your password'));
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await logIn(page, { ...person, password: NEW_PASSWORD });
  await context.close();
  await server.stop();
  await smtp.close();
});

test('without mail the page says whom to ask, and the operator’s link works once', { tag: '@night' }, async ({
  page,
  server,
  complaints,
}) => {
  complaints.expectConsole(/status of 400/u);
  const person = newPerson();
  const origin = server.url;
  await page.request.post('/api/auth/sign-up/email', { headers: { origin }, data: person });
  await page.context().clearCookies();
  await page.goto('/login/forgot');
  await expect(page.getByText('This server sends no mail.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const link = /http\S+/u.exec(await server.admin('reset-link', person.email))?.[0] ?? '';
  await chooseNewPassword(page, link);
  await page.goto('/login');
  await logIn(page, { ...person, password: NEW_PASSWORD });
  const { pathname, hash } = new URL(link);
  await page.goto(`${pathname}${hash}`);
  await page.getByLabel('New password').fill('yet another one');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'This link has been used or is too old. Please ask for another one.',
  );
});

test('name, password and devices are changed on the account page', async ({ page, browser, complaints }) => {
  // The wrong password, and the other device whose sign-in has ended.
  complaints.expectConsole(/status of 40[13]/u);
  const person = await signUp(page);
  const other = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const second = await other.newPage();
  await logIn(second, person);
  await openAccount(page);

  await page.getByRole('button', { name: 'Change name…' }).click();
  await page.getByLabel('Display name', { exact: true }).fill('Grace Hopper');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText('Grace Hopper').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign out Chrome/u })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole('button', { name: 'Change password…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('not my password');
  await dialog.getByLabel('New password').fill(NEW_PASSWORD);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('This is not your password.');
  await expectAccessible(page);
  await dialog.getByLabel('Current password').fill(person.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog).toBeHidden();
  await expect(second).toHaveURL(/\/signup/u);
  await expect(page.getByRole('button', { name: /^Sign out Chrome/u })).toBeHidden();
  const activity = page.getByRole('region', { name: 'Recent activity' });
  // The page hears of it as it happens.
  await expect(activity.getByRole('listitem').filter({ hasText: 'Changed the password' })).toContainText(
    '(this device)',
  );
  await expect(activity.getByText('Wrong password when confirming a change')).toBeVisible();
  await expect(activity.getByText('Signed in with a password')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await other.close();
});

test('with a second factor, logging in asks for a code, and a recovery code works too', async ({
  page,
  complaints,
}) => {
  complaints.expectConsole(/status of 40[13]/u);
  const person = await register(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Turn on…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expectAccessible(page);
  const recoveryCode = (await codes.first().textContent()) ?? '';
  const lastCode = (await codes.last().textContent()) ?? '';
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('On: logging in also asks for a code from your app.')).toBeVisible();

  for (const [wrong, right] of [
    ['000000', () => nextCodeOf(secret)],
    ['abcde-abcde', () => recoveryCode],
  ] as const) {
    await page.context().clearCookies();
    await page.goto('/login');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Log In' }).click();
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
    if (wrong === '000000') await expectAccessible(page);
    await page.getByLabel('Code', { exact: true }).fill(wrong);
    await page.getByRole('button', { name: 'Log In' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByLabel('Code', { exact: true }).fill(right());
    await page.getByRole('button', { name: 'Log In' }).click();
    await expect(page).toHaveURL(/\/runtime/u);
  }
  await page.goto('/account');
  await page.getByRole('button', { name: 'Turn off…' }).click();
  const off = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' });
  await off.getByLabel('Code', { exact: true }).fill(recoveryCode);
  await page.keyboard.press('Enter');
  await expect(off.getByRole('alert')).toHaveText('This code is wrong.');
  await expectAccessible(page);
  await off.getByLabel('Code', { exact: true }).fill(lastCode);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Two-factor authentication is off.')).toBeVisible();
});
