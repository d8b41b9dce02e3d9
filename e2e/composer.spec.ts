import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import {
  closeByEscape,
  closeSidebar,
  composer,
  exchanges,
  keepNotices,
  logIn,
  newPerson,
  openConversation,
  send,
  sidebar,
  startSession,
  tabTo,
} from './workshop.ts';

async function workspace(page: Page, person = newPerson()) {
  await openConversation(page, { prompt: 'You keep notes', person });
  return person;
}

const signOut = async (page: Page) => {
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).not.toHaveURL(/runtime/u);
};

test('drafts survive switching, a reload and another tab, and are nobody else’s', async ({
  page,
  context,
  complaints,
}) => {
  // Somebody else’s session.
  complaints.expectConsole(/404/u);
  const ada = await workspace(page);
  const first = page.url();
  await composer(page).fill('Half a thought');
  await startSession(page, 'Field Notes');
  await expect(composer(page)).toHaveValue('');
  await composer(page).fill('Another one');
  await page.goto(first);
  await expect(composer(page)).toHaveValue('Half a thought');
  await page.reload();
  await expect(composer(page)).toHaveValue('Half a thought');

  const other = await context.newPage();
  await other.goto(first);
  await expect(composer(other)).toHaveValue('Half a thought');
  await composer(other).fill('Half a thought, and more');
  await expect(composer(page)).toHaveValue('Half a thought, and more');
  await composer(other).press('Enter');
  await expect(exchanges(other)).toHaveCount(1);
  await expect(composer(page)).toHaveValue('');
  await other.close();

  await composer(page).fill('Not for others');
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  const question = page.getByRole('alertdialog', { name: 'You have 2 unsent messages' });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stay signed in' }).click();
  await closeSidebar(page);
  await expect(composer(page)).toHaveValue('Not for others');
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  const cleared = page.waitForResponse('**/api/auth/signed-out');
  await question.getByRole('button', { name: 'Sign out' }).click();
  expect(await (await cleared).headerValue('clear-site-data')).toBe('"cache"');
  await expect(page).not.toHaveURL(/runtime/u);
  const known = (await context.cookies(`${new URL(first).origin}/api/auth`)).map(({ name }) => name);
  expect(known, 'the device stays known').toEqual(['atelier_device']);
  const kept = () => page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft:'))");
  await expect.poll(kept).toEqual([]);
  await workspace(page);
  await expect(composer(page)).toHaveValue('');
  await page.goto(first);
  await expect(page.getByText('This session was not found.')).toBeVisible();
  await signOut(page);
  await logIn(page, ada);
  await page.goto(first);
  await expect(composer(page)).toHaveValue('');
});

test('the length is counted near the limit, and nothing is cut beyond it', async ({ page }) => {
  await workspace(page);
  await composer(page).fill('x'.repeat(28_000));
  await expect(page.getByText('/ 32,000 characters')).toHaveCount(0);
  await composer(page).fill('x'.repeat(29_000));
  await expect(page.getByText('29,000 / 32,000 characters')).toBeVisible();
  await composer(page).fill('x'.repeat(200_000));
  await expect(page.getByRole('alert')).toHaveText('The message is too long: 200,000 / 32,000 characters.');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await composer(page).press('Enter');
  await page.reload();
  await expect(composer(page)).toHaveValue('x'.repeat(200_000));
  await expect(exchanges(page)).toHaveCount(0);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('@desk what an input method composes sends, renames and closes nothing', async ({ page }) => {
  await workspace(page);
  const ime = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    ime.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  // As it reports the keys that it takes, Safari's after the composition too.
  const take = (key: string) =>
    ime.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: 229 });

  await composer(page).focus();
  await compose('にほん');
  await expect(composer(page)).toHaveValue('にほん');
  await take('Enter');
  await ime.send('Input.insertText', { text: '日本。' });
  await take('Enter');
  await expect(composer(page)).toHaveValue('日本。');
  await expect(exchanges(page)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(exchanges(page)).toHaveCount(1);
  await expect(exchanges(page)).toContainText('日本。');

  const title = page.getByRole('button', { name: /: rename this session$/u });
  const name = page.getByRole('textbox', { name: 'Session name' });
  await expect(title).toHaveText(/日本/u);
  await title.click();
  await expect(name).toBeFocused();
  await compose('りょこ');
  await take('Escape');
  await take('Enter');
  await expect(name).toHaveValue('りょこ');
  await ime.send('Input.insertText', { text: '旅行' });
  await take('Enter');
  await expect(name).toHaveValue('旅行');
  await page.keyboard.press('Enter');
  await expect(title).toHaveText('旅行');

  await page.keyboard.press('Control+k');
  const words = page.getByRole('combobox');
  await expect(words).toBeFocused();
  await compose('旅');
  await take('Escape');
  await take('Enter');
  await expect(words).toHaveValue('旅');
  await ime.send('Input.insertText', { text: '旅行' });
  await expect(words).toHaveValue('旅行');
  await closeByEscape(page, dialog(page, 'Search and commands'));
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const options = (page: Page) => page.getByRole('listbox', { name: 'Saved prompts' }).getByRole('option');

async function savePrompt(page: Page, name: string, text: string) {
  await dialog(page, 'Saved prompts').getByRole('button', { name: 'New prompt' }).click();
  const form = dialog(page, 'New prompt');
  await expect(form.getByLabel('Name')).toBeFocused();
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Text').fill(text);
  await form.getByRole('button', { name: 'Save prompt' }).click();
  await expect(dialog(page, 'Saved prompts').getByText(name, { exact: true })).toBeVisible();
}

test('prompts are saved, found by a slash, filled in and used', async ({ page, context, complaints }) => {
  // A name that is taken.
  complaints.expectConsole(/409/u);
  await workspace(page);
  await composer(page).fill('Compare {{this}} with {{that}}, briefly.');
  await page.getByRole('button', { name: 'Saved prompts' }).click();
  await expectAccessible(page);
  await dialog(page, 'Saved prompts').getByRole('button', { name: 'Save my message as a prompt' }).click();
  const form = dialog(page, 'New prompt');
  await expect(form.getByLabel('Text')).toHaveValue('Compare {{this}} with {{that}}, briefly.');
  await form.getByRole('button', { name: 'Save prompt' }).click();
  await expect(form.getByText('Name is required.')).toBeVisible();
  await form.getByLabel('Name').fill('Compare');
  await form.getByRole('button', { name: 'Save prompt' }).click();
  await savePrompt(page, 'Plain words', 'Say that again in plain words.');
  await dialog(page, 'Saved prompts').getByRole('button', { name: 'New prompt' }).click();
  await form.getByLabel('Name').fill('COMPARE');
  await form.getByLabel('Text').fill('x');
  await form.getByRole('button', { name: 'Save prompt' }).click();
  await expect(form.getByText('You already have a prompt with this name.')).toBeVisible();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await closeByEscape(page, dialog(page, 'Saved prompts'));

  const other = await context.newPage();
  await other.goto(page.url());
  await composer(other).fill('/');
  await expect(options(other)).toHaveText([/Compare/u, /Plain words/u, 'All saved prompts…']);
  await expectAccessible(other);
  await expectNoSidewaysScroll(other);
  await options(other).filter({ hasText: 'Plain words' }).click();
  await expect(composer(other)).toHaveValue('Say that again in plain words.');
  await other.close();

  await composer(page).fill('/comp');
  await expect(options(page)).toHaveCount(2);
  await composer(page).press('Enter');
  const fill = dialog(page, 'Compare');
  await expect(fill.getByLabel('this')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('tea');
  await page.keyboard.press('Tab');
  await page.keyboard.type('coffee');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await expect(fill.getByLabel('that')).toBeFocused();
  await expect(fill.getByLabel('that')).toHaveValue('coffee');
  await fill.getByLabel('that').press('Enter');
  await expect(composer(page)).toHaveValue('Compare tea with coffee, briefly.');
  await expect(composer(page)).toBeFocused();

  await page.getByRole('button', { name: 'Saved prompts' }).click();
  await keepNotices(page);
  await dialog(page, 'Saved prompts').getByRole('button', { name: 'Delete “Compare”' }).click();
  await expect(dialog(page, 'Saved prompts').getByText('Compare', { exact: true })).toBeHidden();
  await dialog(page, 'Saved prompts').getByRole('button', { name: 'Undo' }).click();
  await expect(dialog(page, 'Saved prompts').getByText('Compare', { exact: true })).toBeVisible();
});

test('@desk prompts by keyboard alone, and a slash that is no search', { tag: '@night' }, async ({ page }) => {
  await workspace(page);
  await page.keyboard.press('/');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type('/');
  await expect(options(page)).toHaveText(['Save your first prompt…']);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog(page, 'Saved prompts').getByRole('button', { name: 'New prompt' }));
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'New prompt').getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Ask {{name}}');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ask {{name}} about tea.');
  await tabTo(page, dialog(page, 'New prompt').getByRole('button', { name: 'Save prompt' }));
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'New prompt')).toBeHidden();
  await closeByEscape(page, dialog(page, 'Saved prompts'));
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type('/ask');
  await expect(options(page)).toHaveCount(2);
  await expect(composer(page)).toHaveAttribute('aria-activedescendant', 'prompt-menu-0');
  await page.keyboard.press('ArrowUp');
  await expect(composer(page)).toHaveAttribute('aria-activedescendant', 'prompt-menu-1');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Ask {{name}}').getByLabel('name')).toBeFocused();
  await page.keyboard.type('Mia');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('Ask Mia about tea.');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('/ask');
  await expect(options(page)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue('/ask');
  await send(page, '/etc/hosts is what?');
  await expect(exchanges(page)).toHaveCount(1);
  await expect(exchanges(page).first()).toContainText('/etc/hosts is what?');
});
