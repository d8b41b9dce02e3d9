import { expect, test } from './journey.ts';
import {
  ask,
  closeByEscape,
  conversation,
  createAgent,
  openConversation,
  register,
  startSession,
  tellAgent,
} from './workshop.ts';

const OTHERS = [
  'I would like to see the fjords in June.',
  'How long is the train from Oslo to Bergen?',
  'We prefer small hotels.',
  'My passport expires next year.',
  'Which raincoat should I bring?',
  'The dog stays with our neighbours.',
  'I get seasick on small boats.',
  'Our budget is two thousand euros.',
];
const PEANUTS = 'My sister is allergic to peanuts';
const QUESTION = 'What should I avoid cooking for my sister?';

test('what was said eight messages ago is recalled, shown and spent', async ({ page }) => {
  await register(page);
  await createAgent(page, 'Field Notes', 'You help me plan trips');
  await page.goto(`/runtime?sessionId=${await tellAgent(page, 'field-notes', [PEANUTS, ...OTHERS])}`);
  await expect(page.getByText('Free tier: 9/10 messages, 9/50 tasks, 1/3 sessions used')).toBeVisible();
  await expect(conversation(page).getByRole('article')).toHaveCount(9);

  const popup = page.getByRole('region', { name: 'Context Retrieved' });
  // It goes by itself, also before the answer has ended.
  const [answer] = await Promise.all([ask(page, QUESTION), expect(popup).toContainText(PEANUTS)]);
  await expect(answer).toContainText(/allergic to peanuts/iu);
  await expect(popup).toBeHidden();

  await answer.getByRole('button', { name: /memor/iu }).click();
  const receipt = page.getByRole('dialog', { name: 'Context Retrieved' });
  await expect(receipt).toContainText(PEANUTS);
  await closeByEscape(page, receipt);

  const banner = page.getByText("You've hit the free tier limit (10 messages or 50 tasks)");
  await expect(banner).toBeVisible();
  await page.reload();
  await expect(banner).toBeVisible();
  await expect(conversation(page).getByRole('article')).toHaveCount(10);
  // Nothing invites to write where nothing can be written.
  await startSession(page, 'Field Notes');
  await expect(banner).toBeVisible();
  await expect(page.getByText('Nothing said yet.')).toBeHidden();
  await page.getByRole('link', { name: 'Upgrade to Pro' }).click();
  await expect(page).toHaveURL(/\/billing$/u);
});

test('another session is remembered by Pro, not by free, and the plan flips live in two tabs', async ({
  page,
  context,
  server,
}) => {
  const person = await openConversation(page, { prompt: 'You help me plan trips' });
  await ask(page, PEANUTS);
  await startSession(page, 'Field Notes');
  await expect(await ask(page, QUESTION)).not.toContainText(/allergic to peanuts/iu);

  const other = await context.newPage();
  await other.goto('/billing');
  await expect(other.getByText('Free', { exact: true })).toBeVisible();
  await server.admin('grant-pro', person.email, '--reason', 'a journey');
  await expect(other.getByText('Pro — Lifetime Access')).toBeVisible();
  await expect(page.getByText(/^Free tier:/u)).toBeHidden();

  await startSession(page, 'Field Notes');
  await expect(await ask(page, QUESTION)).toContainText(/allergic to peanuts/iu);
});
