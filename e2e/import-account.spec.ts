import { readFile } from 'node:fs/promises';
import { strToU8, zipSync } from 'fflate';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, openConversation, register, sidebar } from './workshop.ts';

test('a person moves to another installation: a preview, the import, a report, by keyboard', { tag: '@night' }, async ({
  page,
  provided,
  complaints,
}) => {
  // A file that is no archive.
  complaints.expectConsole(/400/u);
  await openConversation(page, { prompt: 'You keep notes' });
  await ask(page, 'The kiln stands in the north shed');
  await page.goto('/account');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export everything' }).click();
  const archive = await readFile(await (await downloading).path());

  // Both servers are on localhost, where they share cookies: the first one's page would end the sign-in at the second.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await register(page, undefined, provided.server.url);
  await page.goto(`${provided.server.url}/account`);
  const section = page.getByRole('region', { name: 'Bring an account here' });
  const choose = section.getByRole('button', { name: 'Choose archive…' });
  const pick = async (name: string, buffer: Buffer) => {
    const choosing = page.waitForEvent('filechooser');
    await choose.focus();
    await page.keyboard.press('Enter');
    await (await choosing).setFiles({ name, mimeType: 'application/zip', buffer });
  };
  await pick('other.zip', Buffer.from(zipSync({ 'notes.txt': strToU8('Nothing of ours.') })));
  await expect(section.getByRole('alert')).toHaveText('This is not an account archive of Atelier.');

  await pick('mine.zip', archive);
  await expect(section.getByRole('heading', { name: 'This is in the archive' })).toBeFocused();
  await expect(section.getByText(/^mine\.zip, exported on .*: Field Notes$/u)).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(section.getByRole('button', { name: 'Import' })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(section.getByRole('heading', { name: 'The import is done' })).toBeVisible();
  await expect(section.getByRole('definition').first()).toHaveText('1 imported');
  await expectAccessible(page);
  await section.getByRole('button', { name: 'Close the report' }).click();
  await expect(choose).toBeFocused();

  await page.goto(`${provided.server.url}/runtime`);
  await (await sidebar(page))
    .getByRole('link', { name: /Session: Field Notes|kiln/iu })
    .first()
    .click();
  await expect(page.getByRole('log').getByText('The kiln stands in the north shed').first()).toBeVisible();
});
