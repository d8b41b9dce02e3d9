import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, openAccount, openConversation } from './workshop.ts';

test('a person takes everything along, and has everything deleted', async ({ page, complaints }) => {
  // The wrong password, and the login of an account that is gone.
  complaints.expectConsole(/40[13]/u);
  const person = await openConversation(page, { prompt: 'You keep notes' });
  await ask(page, 'The kiln stands in the north shed');
  await openAccount(page);
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
  await expectNoSidewaysScroll(page);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export everything' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^atelier-export-.*\.zip$/u);
  const files = unzipSync(new Uint8Array(await readFile(await download.path())));
  expect(strFromU8(files['exchanges.json'] ?? new Uint8Array())).toContain('The kiln stands in the north shed');

  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Your password').fill('not my password');
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription('This is not your password.');
  await expectAccessible(page);
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await expect(page).toHaveURL(/\/$/u);
  await page.goto('/runtime');
  await expect(page).toHaveURL(/\/signup/u);
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
});
