import type { Page } from '@playwright/test';
import { effort } from '../server/src/testing/effort.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, chooseForExchange, composer, exchanges, keepNotices, openConversation, sidebar } from './workshop.ts';

test.use({ baseURL: async ({ provided }, use) => use(provided.server.url) });

async function workspace(page: Page): Promise<void> {
  await openConversation(page, { agent: 'Story Teller', prompt: 'You tell stories' });
}

const last = (page: Page) => exchanges(page).last();
const press = (page: Page, name: string) => last(page).getByRole('button', { name }).click();
const version = (page: Page) => last(page).getByRole('group', { name: 'Versions of this message' });

/** Sends a message and waits for its answer. */
async function say(page: Page, words: string, answer: string): Promise<void> {
  await expect(await ask(page, words)).toContainText(answer);
}

test('a message is edited in its place, by hand and by keyboard, and both versions stay', async ({
  page,
  provided,
}) => {
  await workspace(page);
  provided.provider.behave({ text: 'Of kilns.' });
  await say(page, 'Tell me of kilns', 'Of kilns.');
  provided.provider.behave({ text: 'Of looms.\n\n'.repeat(40) });
  await press(page, 'Edit message');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('Tell me of kilns');
  await field.fill('Tell me of looms');
  await page.getByRole('button', { name: 'Save & send' }).click();
  await expect(last(page)).toContainText('Of looms.');
  await expect(version(page)).toContainText('2 of 2');
  await expect(exchanges(page)).toHaveCount(1);
  await expect(last(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();

  await version(page).getByRole('button', { name: 'Previous version' }).press('Enter');
  await expect(last(page)).toContainText('Of kilns.');
  await expect(version(page).getByRole('button', { name: 'Previous version' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(last(page)).toContainText('Of looms.');

  await composer(page).focus();
  await page.keyboard.press('ArrowUp');
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(last(page).getByRole('button', { name: 'Edit message' })).toBeFocused();
  await composer(page).focus();
  await page.keyboard.press('ArrowUp');
  provided.provider.behave({ text: 'Of wheels.' });
  await field.fill('Tell me');
  await field.press('Shift+Enter');
  await field.pressSequentially('of wheels');
  await expect(field).toHaveValue('Tell me\nof wheels');
  // Another answer takes the place of the one below: what is typed stays.
  await press(page, 'Regenerate answer');
  await expect(last(page)).toContainText('Of wheels.');
  await expect(last(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();
  await expect(field).toHaveValue('Tell me\nof wheels');
  provided.provider.behave({ text: 'Of spokes.' });
  await field.press('Enter');
  await expect(last(page)).toContainText('Of spokes.');
  await expect(version(page)).toContainText('4 of 4');
});

test('two browsers edit, regenerate and switch in turn, and show the same path', { tag: '@night' }, async ({
  page,
  browser,
  provided,
}) => {
  await workspace(page);
  const state = await page.context().storageState();
  const context = await browser.newContext({ storageState: state });
  const other = await context.newPage();
  provided.provider.behave({ text: 'First answer.' });
  await say(page, 'One', 'First answer.');
  await other.goto(page.url());
  await expect(last(other)).toContainText('First answer.');

  provided.provider.behave({ text: 'word '.repeat(40), deltas: 40, heldAfter: [10] });
  await press(page, 'Regenerate answer');
  await expect(last(other)).toContainText('word word');
  await expect(version(other)).toContainText('2 of 2');
  // While one answers, neither leaves its path.
  await version(other).getByRole('button', { name: 'Previous version' }).click({ force: true });
  await expect(other.getByText('Wait for the answer or stop it first.')).toBeVisible();
  await other.reload();
  await expect(last(other)).toContainText('word word');
  provided.provider.release();
  await expect(last(other).getByRole('button', { name: 'Copy answer' })).toBeVisible();

  await version(other).getByRole('button', { name: 'Previous version' }).click();
  for (const one of [page, other]) await expect(last(one)).toContainText('First answer.');
  provided.provider.behave({ text: 'Third answer.', heldAfter: [] });
  await other.getByRole('button', { name: 'Edit message' }).click();
  await other.getByRole('textbox', { name: 'Edit message' }).fill('Uno');
  await other.getByRole('button', { name: 'Save & send' }).click();
  for (const one of [page, other]) {
    await expect(last(one)).toContainText('Third answer.');
    await expect(version(one)).toContainText('3 of 3');
    await expect(exchanges(one)).toHaveCount(1);
  }
  await context.close();
});

test('an exchange is deleted, comes back with undo, and goes on in a session of its own', async ({
  page,
  provided,
  complaints,
}) => {
  complaints.expectConsole(/status of 402/u);
  await workspace(page);
  provided.provider.behave({ text: 'Yes.' });
  for (const words of ['One', 'Two', 'Three']) await say(page, words, 'Yes.');
  // One is edited at a time, and its words are not lost to another.
  const words = page.getByRole('textbox', { name: 'Edit message' });
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await page.getByRole('article', { name: 'One' }).getByRole('button', { name: 'Edit message' }).click();
  await words.fill('Uno');
  await page.getByRole('article', { name: 'Three' }).getByRole('button', { name: 'Edit message' }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(words).toHaveValue('Uno');
  await page.getByRole('textbox', { name: 'Message', exact: true }).press('ArrowUp');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(words).toHaveValue('Three');
  await words.press('Escape');
  await keepNotices(page);
  await chooseForExchange(page, page.getByRole('article', { name: 'Two' }), 'Delete exchange');
  await expect(exchanges(page)).toHaveCount(2);
  // The notice stands above, where it covers no Send.
  const [notice, field] = await Promise.all(
    [page.locator('[data-sonner-toast]'), composer(page)].map((thing) => thing.boundingBox()),
  );
  expect((notice?.y ?? Infinity) + (notice?.height ?? 0)).toBeLessThan(field?.y ?? 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(exchanges(page)).toHaveCount(3);
  const before = page.url();
  // Who has gone elsewhere before the new session is there stays there.
  const gone = Promise.withResolvers<void>();
  await page.route('**/continue', async (route) => {
    await gone.promise;
    await route.continue();
  });
  await chooseForExchange(page, page.getByRole('article', { name: 'Two' }), 'Continue in a new session');
  await (await sidebar(page)).getByRole('link', { name: 'My Library' }).click();
  await expect(page).toHaveURL(/\/library$/u);
  const made = page.waitForResponse('**/continue');
  gone.resolve();
  await (await made).finished();
  await page.evaluate(`fetch('/api/me').then((answer) => answer.text())`);
  expect(page.url()).toMatch(/\/library$/u);
  await page.goto(before);
  await chooseForExchange(page, page.getByRole('article', { name: 'Two' }), 'Continue in a new session');
  await expect(page).not.toHaveURL(before);
  await expect(exchanges(page)).toHaveCount(2);
  await say(page, 'Four', 'Yes.');
  await expect(exchanges(page)).toHaveCount(3);
  await page.goto(before);
  await expect(exchanges(page)).toHaveCount(3);
  // A free account has three sessions.
  await chooseForExchange(page, page.getByRole('article', { name: 'Two' }), 'Continue in a new session');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(page).toHaveURL(/\/billing$/u);
});

test('what the server refuses stays in the field', async ({ page, provided, complaints }) => {
  complaints.expectConsole(/409|503|500/u);
  await workspace(page);
  provided.provider.behave({ text: 'Yes.' });
  await say(page, 'One', 'Yes.');
  await page.route('**/edit', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'This session is still answering.' } } }),
  );
  await press(page, 'Edit message');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  await field.fill('Other words');
  await field.press('Enter');
  await expect(page.getByText('This session is still answering.')).toBeVisible();
  await expect(field).toHaveValue('Other words');
});

for (const scheme of effort(['dark'] as const, ['light', 'dark'] as const)) {
  test(`on a phone, ${scheme}, everything fits and is accessible`, { tag: '@phone-only' }, async ({
    page,
    provided,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await workspace(page);
    provided.provider.behave({ text: 'Of kilns.' });
    await say(page, 'Tell me of kilns', 'Of kilns.');
    await press(page, 'Regenerate with another model');
    await page.getByRole('menuitem', { name: 'GPT-3.5' }).click();
    await expect(version(page)).toContainText('2 of 2');
    await expect(last(page).getByRole('button', { name: 'Copy answer' })).toBeVisible();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const tops = await last(page)
        .getByRole('button', { name: /Copy answer|Regenerate|More for this exchange|What this answer took/u })
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
      expect(tops).toHaveLength(5);
      expect(new Set(tops).size).toBe(1);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    await press(page, 'Edit message');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
}
