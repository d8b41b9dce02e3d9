import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import {
  ask,
  composer,
  conversation,
  createAgent,
  exchanges,
  openConversation,
  sidebar,
  signUp,
  startSession,
  tellAgent,
} from './workshop.ts';

const PEANUTS = 'My sister is allergic to peanuts';
const QUESTION = 'What is my sister allergic to?';

test('what was recalled can be left out, edited, pinned and forgotten', { tag: '@phone' }, async ({ page, server }) => {
  await openConversation(page, { prompt: 'You help me plan trips', pro: server });
  await ask(page, PEANUTS);
  const answer = await ask(page, QUESTION);
  await answer.getByRole('button', { name: /memor/iu }).click();
  const receipt = page.getByRole('dialog', { name: 'Context Retrieved' });
  const item = receipt.getByRole('listitem').filter({ hasText: PEANUTS }).filter({ hasText: 'You' }).first();
  await expect(item).toContainText('You');
  await expectAccessible(page);
  await item.getByRole('button', { name: 'Ask again without this' }).click();
  // The new answer takes the place of the one before, which stays beside it.
  const again = exchanges(page).last();
  await expect(again).toContainText('2 of 2');
  await expect(exchanges(page)).toHaveCount(2);
  await expect(again).toContainText('Asked again without one memory.');
  await expect(again.getByRole('button', { name: 'Copy answer' })).toBeVisible();
  await expect(again).not.toContainText(/peanuts/iu);

  await page.goto('/memory?view=said');
  const list = page.getByRole('list', { name: 'Memories' });
  const row = list.getByRole('listitem').filter({ hasText: PEANUTS }).last();
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await row.getByRole('button', { name: 'Pin' }).click();
  await expect(row.getByRole('button', { name: 'Pinned' })).toHaveAttribute('aria-pressed', 'true');
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What is remembered').fill('My sister is allergic to shellfish');
  await list.getByRole('button', { name: 'Edit' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const edited = list.getByRole('listitem').filter({ hasText: 'shellfish' });
  await expect(edited).toContainText('edited');

  await page.getByLabel('Search memories').fill('allergic shell');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('memories.json');
  await page.getByLabel('Select all shown').check();
  await page.getByRole('button', { name: 'Forget 1 selected' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('The exchange it came from stays');
  await question.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByText('No memories match.')).toBeVisible();

  await page.goBack();
  await exchanges(page).last().getByRole('button', { name: 'Previous version' }).click();
  await expect(exchanges(page).last()).toContainText('1 of 2');
  await exchanges(page).last().getByRole('button', { name: /memor/iu }).click();
  const blanked = receipt.getByRole('listitem').filter({ hasText: 'Forgotten' });
  await expect(blanked).toContainText('You');
  await expect(blanked).not.toContainText(PEANUTS);
});

test('one box finds a message and jumps to it, by keyboard', async ({ page, server }) => {
  const person = await signUp(page);
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search' });
  await box.fill('fjord');
  await expect(page.getByText('Pro Feature: This section is only available to Pro users.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();

  await server.admin('grant-pro', person.email, '--reason', 'a journey');
  await expect(page.getByText(/^Free tier:/u)).toBeHidden();
  await createAgent(page, 'Field Notes', 'You help me plan trips');
  const others = ['What about trains?', 'And what about boats?', 'Which month shall we take?'];
  await tellAgent(page, 'field-notes', ['The best fjord is the quiet one', ...others]);
  await startSession(page, 'Field Notes');
  await (await sidebar(page)).getByRole('button', { name: /^Search/u }).click();
  await box.fill('best fjo');
  const found = page.getByRole('group', { name: 'Messages' });
  await expect(found.locator('mark').first()).toHaveText(/best|fjord/u);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const option = found.getByRole('option').first();
  for (let i = 0; i < 8 && (await option.getAttribute('aria-selected')) !== 'true'; i += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/taskId=/u);
  await expect(conversation(page).getByText('The best fjord is the quiet one').first()).toBeInViewport();
  await expect(composer(page)).toBeVisible();
});
