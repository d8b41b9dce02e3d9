import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { ask, closeToast, createAgent, keepNotices, register, startSession, tellAgent } from './workshop.ts';

/** Three sessions with ten facts among small talk and questions. */
const SESSIONS = [
  [
    'Good morning! How are you today?',
    'My sister Nora is allergic to peanuts.',
    'Thanks, that is good to know. Could you write me a long story about a lighthouse keeper?',
    'I live in Lisbon, and I work as a nurse.',
    'What a lovely day it is outside.',
    'Our deploy day is Thursday, by the way.',
  ],
  [
    'Hi again! I had a great weekend.',
    'Oh, before I forget: the house rule is tabs.',
    'If I had a boat I would sail to the Azores.',
    'I’m vegetarian and my favourite colour is teal.',
    'I’m a bit tired, I slept badly last night.',
    'Please translate this: My dog is called Rex and I live in Rome.',
  ],
  [
    'Hello! Nice to see you.',
    'My dog is called Biscuit.',
    'I watched a film about volcanoes yesterday. It was fun.',
    'I’m training for a marathon in May. What do you think of that?',
    'My brother Tom plays the cello.',
    'Ok, see you later!',
  ],
];
const FACTS = [
  'My sister Nora is allergic to peanuts',
  'I live in Lisbon',
  'I work as a nurse',
  'Our deploy day is Thursday',
  'The house rule is tabs',
  'I’m vegetarian',
  'My favourite colour is teal',
  'My dog is called Biscuit',
  'I’m training for a marathon in May',
  'My brother Tom plays the cello',
];

const facts = (page: Page) => page.getByRole('region', { name: 'Facts', exact: true }).getByRole('listitem');
const fact = (page: Page, text: string) => facts(page).filter({ hasText: text });

/** Asks in a new session and returns the answer. */
async function askAnew(page: Page, question: string) {
  await startSession(page, 'Field Notes');
  return ask(page, question);
}

test('ten things told over three sessions are ten facts, which can be corrected, forgotten and contradicted', async ({
  page,
  server,
}) => {
  const person = await register(page);
  await server.admin('grant-pro', person.email, '--reason', 'a journey');
  await createAgent(page, 'Field Notes', 'You help me remember things');
  await page.goto('/memory');
  await expect(page.getByText('Nothing is known about you yet.')).toBeVisible();
  for (const messages of SESSIONS) await tellAgent(page, 'field-notes', messages);
  await expect(facts(page)).toHaveCount(FACTS.length);
  for (const text of FACTS) await expect(fact(page, text)).toHaveCount(1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  // Correct one in place, by keyboard.
  await fact(page, 'peanuts').getByRole('button', { name: 'Correct' }).click();
  const truth = page.getByLabel('What is true');
  await truth.fill('My sister Nora is allergic to walnuts');
  await fact(page, 'cello').getByRole('button', { name: 'Correct' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await truth.press('Enter');
  await expect(fact(page, 'walnuts')).toContainText('corrected by you');
  await expect(fact(page, 'walnuts').getByRole('button', { name: 'Correct' })).toBeFocused();

  // Forget one, think again, and forget it. Three notices at once would lie over the export.
  await closeToast(page, 'Corrected.');
  await keepNotices(page);
  await fact(page, 'cello').getByRole('button', { name: 'Forget', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(fact(page, 'cello')).toBeVisible();
  await fact(page, 'cello').getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(fact(page, 'cello')).toBeHidden();

  await fact(page, 'Biscuit').getByRole('button', { name: 'Pin' }).click();
  await expect(fact(page, 'Biscuit').getByRole('button', { name: 'Pinned' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByLabel('Search facts').fill('deploy');
  await expect(facts(page)).toHaveCount(1);
  const link = page.getByRole('link', { name: 'Export' });
  // The list is a new one once the words count.
  await expect(link).toHaveAttribute('href', /q=deploy/u);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('facts.json');
  await page.getByLabel('Search facts').fill('no such words');
  await expect(page.getByText('No facts match.')).toBeVisible();

  // The next answers follow.
  const walnuts = await askAnew(page, 'What is my sister Nora allergic to?');
  await expect(walnuts).toContainText('walnuts');
  await expect(walnuts).not.toContainText('peanuts');
  await expect(await askAnew(page, 'Which instrument does my brother Tom play?')).not.toContainText('cello');
  await askAnew(page, 'I moved to Porto.');
  await page.goto('/memory');
  await expect(fact(page, 'I moved to Porto').locator('s')).toHaveText('I live in Lisbon');
  await expect(await askAnew(page, 'Where do I live?')).toContainText('Porto');

  // The agent knew it as a fact, and everything said is still there.
  await page.goto('/memory');
  await page.getByRole('link', { name: 'Messages' }).click();
  await expect(page.getByRole('list', { name: 'Memories' }).getByRole('listitem').first()).toBeVisible();
  await page.getByRole('link', { name: 'Facts' }).click();
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await page.getByLabel('Keep facts from what I say').uncheck();
  await saved;
  await page.reload();
  await expect(page.getByLabel('Keep facts from what I say')).not.toBeChecked();
});

test('what the page says before there are facts: to a free account, while loading, after a failure, with none', async ({
  page,
  server,
  complaints,
}) => {
  const person = await register(page);
  await page.goto('/memory');
  await expect(page.getByText('Pro Feature: This section is only available to Pro users.')).toBeVisible();

  await server.admin('grant-pro', person.email, '--reason', 'a journey');
  await expect(page.getByText('Nothing is known about you yet.')).toBeVisible();

  complaints.expectConsole(/status of 500/u);
  for (const { view, loading, none } of [
    { view: '/memory', loading: 'Loading facts', none: 'Nothing is known about you yet.' },
    { view: '/memory?view=said', loading: 'Loading memories', none: 'Nothing is remembered yet.' },
  ]) {
    const looked = Promise.withResolvers<void>();
    let refused = 0;
    await page.route(/\/api\/(?:facts|memories)(?:\?|$)/u, async (route) => {
      await looked.promise;
      const error = { code: 'internal', message: 'Something went wrong on the server.' };
      // The page tries again by itself, and need not wait for that.
      refused += 1;
      await route.fulfill({ status: 500, headers: { 'retry-after': '0' }, json: { error } });
    });
    await page.goto(view);
    await expect(page.getByText(loading)).toBeAttached();
    looked.resolve();
    const failure = page.getByRole('alert').filter({ hasText: 'Something went wrong on the server.' });
    await expect(failure).toBeVisible();
    await expectAccessible(page);
    const again = failure.getByRole('button', { name: 'Try again' });
    const before = refused;
    await again.click();
    await expect.poll(() => refused).toBeGreaterThan(before);
    await page.unrouteAll({ behavior: 'wait' });
    // The live stream may have the page try once more, and the button is gone.
    await expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 1000 });
      await expect(page.getByText(none)).toBeVisible({ timeout: 1000 });
    }).toPass();
  }

  await page.goto('/memory');
  await page.getByLabel('Keep facts from what I say').uncheck();
  await expect(page.getByText('Switch on “Keep facts from what I say” to change that.')).toBeVisible();
});
