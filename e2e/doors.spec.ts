import type { Browser, Page } from '@playwright/test';
import { freePort } from '../server/src/testing/listen.ts';
import { startOpenId } from '../server/src/testing/sign-in-providers.ts';
import { expect, expectAccessible, expectFits, test } from './journey.ts';
import { startServer } from './server.ts';
import { newPerson } from './workshop.ts';

type Person = ReturnType<typeof newPerson>;

/** Fills in the sign-up page, wherever it is open. */
async function fillIn(page: Page, { name, email, password }: Person) {
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create Account' }).click();
}
const newPage = async (browser: Browser, baseURL: string) => (await browser.newContext({ baseURL })).newPage();

test('people come by single sign-on, by an invitation, and with approval, and read why they can’t', async ({
  browser,
  complaints,
}) => {
  // The school's own page wants a font.
  complaints.expectConsole(/fonts\.googleapis\.com|status of 403/u);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const school = await startOpenId(`${url}/api/auth/callback/oidc`);
  school.people.set('ada', { email: 'ada@school.example', email_verified: true, name: 'Ada Lovelace' });
  const server = await startServer({ PORT: String(port), PUBLIC_URL: url, ...school.env });
  const member = await newPage(browser, url);

  await member.goto('/login');
  await member.getByRole('button', { name: 'Continue with Example School' }).click();
  await member.locator('[name=login]').fill('ada');
  await member.locator('[name=password]').fill('x');
  await member.getByRole('button', { name: 'Sign-in' }).click();
  await member.getByRole('button', { name: 'Continue' }).click();
  await expect(member).toHaveURL(/\/runtime/u);

  await server.admin('setting', 'sign-up', 'invitation');
  const guest = await newPage(browser, url);
  await guest.goto('/signup');
  await expect(guest.getByRole('status').filter({ hasText: 'You need an invitation' })).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Create Account' })).toBeHidden();
  await expectAccessible(guest);
  await expectFits(guest);

  await member.goto('/account');
  await expect(member.getByRole('heading', { name: 'Shared links' })).toBeVisible();
  await expect(member.getByRole('heading', { name: 'Invitations' })).toBeHidden();
  // The open page hears of the setting.
  await server.admin('setting', 'member-invitations', '1');
  const section = member.getByRole('region', { name: 'Invitations' });
  await section.getByLabel('People').fill('2');
  await section.getByLabel('People').press('Enter');
  await expect(section.getByText('0 of 2 people have joined')).toBeVisible();
  await expect(section.getByText('You can’t have more open invitations.')).toBeVisible();
  await expectAccessible(member);
  await expectFits(member);
  const { invitations } = await (await member.request.get('/api/invitations')).json();
  const address = `/signup#${invitations[0].token}`;

  await guest.goto(address);
  await expect(guest.getByText('You are invited to create an account here.')).toBeVisible();
  await expectAccessible(guest);
  await fillIn(guest, newPerson());
  await expect(guest).toHaveURL(/\/runtime/u);
  await member.reload();
  await expect(section.getByText('1 of 2 people have joined')).toBeVisible();
  await section.getByRole('button', { name: /^End the invitation/u }).click();
  await member.getByRole('button', { name: 'End invitation' }).click();
  await expect(section.getByText('You have no open invitations.')).toBeVisible();
  const late = await newPage(browser, url);
  await late.goto(address);
  await expect(late.getByRole('status').filter({ hasText: 'This invitation doesn’t work.' })).toBeVisible();

  await server.admin('setting', 'sign-up', 'approval');
  const person = newPerson();
  await late.goto('/signup');
  await late.reload();
  await expect(late.getByText('The operator approves each new account')).toBeVisible();
  await fillIn(late, person);
  await expect(late.getByRole('heading', { name: 'Almost there' })).toBeVisible();
  await expectAccessible(late);
  await late.goto('/login');
  const logIn = async () => {
    await late.getByLabel('Email').fill(person.email);
    await late.getByLabel('Password', { exact: true }).fill(person.password);
    await late.getByRole('button', { name: 'Log In' }).click();
  };
  await logIn();
  await expect(late.getByRole('alert')).toContainText('is waiting for the operator’s approval');
  await server.admin('approve', person.email);
  await logIn();
  await expect(late).toHaveURL(/\/runtime/u);

  await Promise.all([member, guest, late].map((page) => page.context().close()));
  await Promise.all([server.stop(), school.close()]);
});
