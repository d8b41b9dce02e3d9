import { expect, expectAccessible, test } from './journey.ts';
import { fillSignUp, logIn, newPerson, openConversation, register, sidebar, signUp, signUpByHand } from './workshop.ts';

test('a person signs up, signs out and logs in again', async ({ page }) => {
  const person = await signUpByHand(page);
  const side = await sidebar(page);
  await expect(side.getByText('Logged in as')).toContainText(person.name);
  await side.getByRole('button', { name: /Logged in as/u }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await side.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/signup$/u);
  await logIn(page, person);
  await expect((await sidebar(page)).getByText(person.name)).toBeVisible();
});

test('an address in use is refused with its sentence, and what was typed stays', async ({
  page,
  browser,
  server,
  complaints,
}) => {
  complaints.expectConsole(/status of 422/u);
  const person = await register(page);
  const other = await browser.newContext({ baseURL: server.url });
  const second = await other.newPage();
  await second.goto('/signup');
  await second.getByLabel('Username').fill('Somebody Else');
  await second.getByLabel('Email').fill(person.email.toUpperCase());
  await second.getByLabel('Password', { exact: true }).fill('another password');
  await second.getByRole('button', { name: 'Create Account' }).click();
  await expect(second.getByRole('alert')).toHaveText(
    'This email is already in use. Please log in or use a different email.',
  );
  await expect(second.getByLabel('Username')).toHaveValue('Somebody Else');
  await other.close();
});

test('empty fields, a common and a wrong password are said beside the form', async ({ page, complaints }) => {
  complaints.expectConsole(/status of 401/u);
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create Account' }).click();
  for (const field of ['Username', 'Email', 'Password']) {
    await expect(page.getByText(`${field} is required.`)).toBeVisible();
  }
  const password = page.getByLabel('Password', { exact: true });
  const advice = 'This password is among the first that anybody would guess. Please choose another one.';
  await password.fill('Password1');
  await expect(password).toHaveAccessibleDescription(new RegExp(advice, 'u'));
  await expectAccessible(page);
  await password.fill('another password');
  await expect(page.getByText(advice)).toBeHidden();
  // It is advice only; who is quicker than it reads it afterwards.
  const person = { ...newPerson(), password: 'iloveyou' };
  await fillSignUp(page, person);
  await expect(page.getByText(advice)).toBeVisible();
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid email or password');
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com');
});

test('the guard sends a visitor to sign up and back to where they were going', async ({ page }) => {
  await page.goto('/billing');
  await expect(page).toHaveURL(/\/signup$/u);
  await fillSignUp(page);
  await expect(page).toHaveURL(/\/billing$/u);
});

test('a sign-out reaches the other tab', async ({ page, context, complaints }) => {
  // What the other tab is asking for at that very moment is refused, and the browser writes so into its console.
  complaints.expectConsole(/status of 401 .*\/api\//u);
  await signUp(page);
  const other = await context.newPage();
  await other.goto('/runtime');
  await expect(other.getByRole('heading', { name: 'No session selected' })).toBeVisible();
  await (await sidebar(other)).getByRole('button', { name: 'Options of the session list' }).click();
  await other.getByRole('menuitem', { name: 'New folder…' }).click();
  await expect(other.getByLabel('Folder name')).toBeVisible();
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  await expect(other).toHaveURL(/\/signup$/u);
  // The next person finds no dialog of the one before; it would hide the page from screen readers.
  await fillSignUp(other, newPerson('Grace Hopper'));
  await expect(other.getByRole('heading', { name: 'No session selected' })).toBeVisible();
  await expect(other.getByRole('dialog', { name: 'New folder' })).toHaveCount(0);
});

test('the sign-up page says what a password needs before anybody types one', async ({ page }) => {
  await page.goto('/signup');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('At least 6 characters.');
});

test('a disabled account is told so, in every open tab and at the next login', async ({ page, server, complaints }) => {
  complaints.expectConsole(/status of 40[13]/u);
  const person = await signUp(page);
  await server.admin('disable', person.email, '--reason', 'a test');
  await expect(page).toHaveURL(/\/signup$/u);
  await expect(page.getByText('This account is disabled. Please contact support.')).toBeVisible();
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('alert')).toHaveText('This account is disabled. Please contact support.');
});

test('signing out ends what the page began to ask for before its scripts ran', async ({ page }) => {
  await openConversation(page, { prompt: 'You keep notes' });
  const held = Promise.withResolvers<void>();
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/queue'));
  await page.route('**/queue', async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  await page.reload();
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/signup/u);
  // It would be refused now, which the console reports.
  held.resolve();
  expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
});
