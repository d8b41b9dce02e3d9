import type { Page } from '@playwright/test';
import { freePort } from '../server/src/testing/listen.ts';
import { pictureOf } from '../server/src/testing/pictures.ts';
import { startGithub } from '../server/src/testing/sign-in-providers.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import { newPerson, register, sidebar } from './workshop.ts';

/** A fingerprint reader that always says yes. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page) {
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/signup/u);
}

test('a passkey is added, named, signs in, and is removed', async ({ page, complaints }) => {
  complaints.expectConsole(/status of 401/u);
  await register(page, newPerson());
  await addAuthenticator(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey…' }).press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Passkeys' });
  await expect(list.getByText('Laptop')).toBeVisible();
  await page.getByRole('button', { name: 'Rename Laptop' }).press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('Old laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByText('Old laptop')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await expect(page).toHaveURL(/\/runtime/u);

  await page.goto('/account');
  await page.getByRole('button', { name: 'Remove Old laptop' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(list).toBeHidden();
  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('asskey');
  await expectAccessible(page);
  await expect(page).toHaveURL(/\/login/u);
});

test('after a reset a passkey signs nobody in until its owner keeps it', { tag: '@night' }, async ({
  page,
  server,
  complaints,
}) => {
  complaints.expectConsole(/status of 40[13]/u);
  const person = await register(page, newPerson());
  await addAuthenticator(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Passkeys' })).toBeVisible();
  await signOut(page);

  const link = /https?:\S+/u.exec(await server.admin('reset-link', person.email))?.[0] ?? '';
  const { pathname, hash } = new URL(link);
  await page.goto(`${pathname}${hash}`);
  const password = 'a better password';
  await page.getByLabel('New password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Another way into your account is suspended')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('asskey');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();

  await expect(page).toHaveURL(/\/account$/u);
  const section = page.getByRole('region', { name: 'Suspended' });
  await section.getByLabel('Passkey “Laptop”').check();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await section.getByRole('button', { name: 'Keep what is chosen' }).click();
  await expect(section).toBeHidden();
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByText('Laptop')).toBeVisible();

  await page.getByRole('button', { name: 'Change password…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your password' });
  await dialog.getByLabel('Passkey “Laptop”').uncheck();
  await expectAccessible(page);
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByLabel('New password').fill(person.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog).toBeHidden();
  // The new password ends what was proved with the old one.
  await page.getByRole('button', { name: 'Turn on…' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Your password').fill(password);
  await proof.getByLabel('Your password').press('Enter');
  await expect(proof.getByRole('alert')).toHaveText('This is not your password.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toHaveText('Please confirm first that it is you.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await proof.getByRole('button', { name: 'Use a passkey instead' }).press('Enter');
  await expect(proof.getByRole('button', { name: 'Use a passkey', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(proof).toBeHidden();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await page.keyboard.press('Escape');

  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await expect(page).toHaveURL(/\/runtime/u);
});

test('with GitHub somebody signs up, is told of an email in use, links it, and can’t remove their last way in', {
  tag: '@night',
}, async ({ browser, complaints }) => {
  // Without a proof, and without another way in.
  complaints.expectConsole(/40[39] .*unlink-account/u);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const github = await startGithub(`${url}/api/auth/callback/github`);
  const server = await startServer({ PORT: String(port), PUBLIC_URL: url, ...github.env });
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  const octocat = (email: string) =>
    github.become({
      id: 7,
      login: 'octocat',
      name: 'Mona Lisa',
      avatar_url: '',
      emails: [{ email, primary: true, verified: true }],
    });
  const person = newPerson();

  octocat('mona@example.com');
  await page.goto('/signup?from=%2Faccount');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(page).toHaveURL(`${url}/account`);
  await expect(page.getByText('mona@example.com')).toBeVisible();
  await page.getByRole('button', { name: 'Change email…' }).click();
  await page.getByLabel('New email').fill('lisa@example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByText('lisa@example.com')).toBeVisible();
  octocat('lisa@example.com');

  // The new email ends what the sign-in proved; without a password another one is the proof.
  await page.getByRole('button', { name: 'Unlink GitHub' }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(proof.getByText('Your account has no password.')).toBeVisible();
  await expectAccessible(page);
  await proof.getByRole('button', { name: 'Sign in again with GitHub' }).press('Enter');
  await expect(page).toHaveURL(`${url}/account`);
  await expect(proof).toBeHidden();
  await page.getByRole('button', { name: 'Unlink GitHub' }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await expect(page.getByText('This is your only way to sign in.')).toBeVisible();
  await page.getByRole('button', { name: 'Set a password…' }).click();
  await page.getByLabel('New password').fill(person.password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Password set.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Unlink GitHub' }).click();
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await expect(page.getByText('GitHub is unlinked.')).toBeVisible();
  await signOut(page);

  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(page.getByRole('alert')).toContainText('There is an account with this email already. Log in to it');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Email').fill('lisa@example.com');
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/\/runtime/u);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Link GitHub' }).click();
  await page.getByRole('button', { name: 'Go to GitHub' }).click();
  await expect(page.getByText('From now on you can also sign in with GitHub.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unlink GitHub' })).toBeVisible();
  await context.close();
  await server.stop();
  await github.close();
});

test('a photo is added from any picture, shown in the menu, and removed; what is no picture is refused', async ({
  page,
}) => {
  await register(page);
  await page.goto('/account');
  const choose = page.getByLabel('Photo file');
  await choose.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<html>no picture</html>') });
  await expect(page.getByRole('alert')).toHaveText('This file is not a picture. Choose a PNG, JPEG or WebP file.');
  await choose.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: pictureOf('png', 1600, 900) });
  await expect(page.getByText('Photo changed.')).toBeVisible();
  const photo = (await sidebar(page)).locator('img[src^="/api/me/photo/"]');
  await expect(photo).toBeVisible();
  const size = () => photo.evaluate((img) => [Reflect.get(img, 'naturalWidth'), Reflect.get(img, 'naturalHeight')]);
  await expect.poll(size).toEqual([256, 256]);
  await expectAccessible(page);
  // On a phone the menu lies over the page.
  await page.goto('/account');
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await expect(page.getByRole('button', { name: 'Add a photo…' })).toBeVisible();
  await expect(page.getByText('0 of 10 used')).toBeVisible();
});
