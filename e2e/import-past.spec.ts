import { strToU8, zipSync } from 'fflate';
import { chatGptTalk, madeTalk, makeTalks } from '../server/src/testing/past-exports.ts';
import { expect, expectAccessible, expectFits, test } from './journey.ts';
import { openConversation, sidebar } from './workshop.ts';

const DIARY = madeTalk(['user', 'My sister is called Mia. What shall I give her?'], ['assistant', 'A kite, perhaps.']);

test('a person brings their past along: a preview, a choice, facts that they tick, and all of it undone', async ({
  page,
  complaints,
}) => {
  // A file of another program.
  complaints.expectConsole(/400/u);
  await openConversation(page, { prompt: 'You keep notes' });
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Bring an account here' });
  const choose = section.getByRole('button', { name: 'Choose archive…' });
  const pick = async (name: string, data: Uint8Array) => {
    const choosing = page.waitForEvent('filechooser');
    await choose.focus();
    await page.keyboard.press('Enter');
    await (await choosing).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(data) });
  };
  await pick('notes.json', strToU8('{"notes":[]}'));
  await expect(section.getByRole('alert')).toHaveText(
    'This file isn’t an export of ChatGPT, Claude, LibreChat or Open WebUI.',
  );

  const talks = [...makeTalks(40, 20), { ...DIARY, title: 'A gift' }].map(chatGptTalk);
  await pick('past.zip', zipSync({ 'conversations.json': strToU8(JSON.stringify(talks)) }));
  await expect(section.getByRole('heading', { name: 'This is in the archive' })).toBeFocused();
  await expect(section.getByText('past.zip, an export of ChatGPT')).toBeVisible();
  await expect(
    section.getByText(/^3 conversations with 42 messages, from .*Mar.* 2023 to .*Nov.* 2023\.$/u),
  ).toBeVisible();
  // A free account has three sessions, and one of them is there: the newest two are ticked.
  await expect(
    section.getByText('Free accounts have 3 sessions: there is room for 2 more.', { exact: false }),
  ).toBeVisible();
  const choice = section.getByRole('group', { name: 'Conversations' });
  await expect(choice.getByText('2 ticked')).toBeVisible();
  await choice.getByRole('checkbox', { name: 'Talk 1' }).uncheck();
  const facts = section.getByRole('group', { name: 'Facts about you' });
  await expect(facts.getByText('0 ticked')).toBeVisible();
  await expect(facts.getByText(/^“My sister is called Mia\.” · A gift, .*Nov.* 2023$/u)).toBeVisible();
  await facts.getByRole('checkbox').check();
  await expectFits(page);
  await expectAccessible(page);
  await section.getByRole('combobox', { name: 'Agent' }).selectOption('The agent “ChatGPT”, made for it');
  await section.getByRole('button', { name: 'Import', exact: true }).focus();
  await page.keyboard.press('Enter');

  await expect(section.getByRole('heading', { name: 'The import is done' })).toBeVisible();
  await expect(section.getByRole('definition')).toHaveText([
    '1 imported',
    '1 imported',
    '1 imported',
    '2 imported',
    '1 imported',
  ]);
  await expectAccessible(page);
  await (await sidebar(page)).getByRole('link', { name: 'A gift' }).first().click();
  await expect(page.getByRole('log').getByText('A kite, perhaps.')).toBeVisible();

  await page.goto('/account');
  await section.getByRole('button', { name: 'Undo the import…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo the import' }).click();
  await expect(section.getByRole('heading', { name: 'The import was undone' })).toBeVisible();
  await section.getByRole('button', { name: 'Close the report' }).click();
  await expect(choose).toBeFocused();
  await expect((await sidebar(page)).getByRole('link', { name: 'A gift' })).toHaveCount(0);
});
