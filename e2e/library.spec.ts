import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import {
  chooseForSession,
  closeByEscape,
  closeToast,
  createAgent,
  keepNotices,
  newPerson,
  newTag,
  register,
  sidebar,
  tabTo,
} from './workshop.ts';

/** A second person in a browser of their own. */
async function second(browser: Browser, server: { url: string }, page: Page) {
  const context = await browser.newContext({ baseURL: server.url, viewport: page.viewportSize() });
  const errors: string[] = [];
  context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const other = await context.newPage();
  await register(other, newPerson('Grace Hopper'), server.url);
  return { other, errors, close: () => context.close() };
}

async function publish(page: Page, name: string, prompt: string, tags: string) {
  await page.goto('/library');
  await page.getByRole('button', { name: 'Create Agent' }).click();
  const form = page.getByRole('region', { name: 'Create Agent' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Prompt').fill(prompt);
  await form.getByLabel('Tags').fill(tags);
  await form.getByLabel('Public').check();
  await form.getByRole('button', { name: 'Create Agent' }).click();
  const question = page.getByRole('alertdialog', { name: `Publish “${name}”?` });
  await expect(question).toContainText('the whole prompt');
  await question.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Agent created!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/runtime\?agent=/u);
}

test('what one publishes, another sees, favorites and copies in an open page, until it is taken back', async ({
  page,
  browser,
  server,
}) => {
  const tag = newTag('fjords');
  const name = `Fjord ${newTag('Guide')}`;
  const ada = await register(page);
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');
  const grace = await second(browser, server, page);
  const { other } = grace;
  await other.goto(`/explore?tag=${tag}`);
  await expect(other.getByText(`No public agent has the tag #${tag}.`)).toBeVisible();

  const prompt = `You help me plan trips. ${'Trains before planes. '.repeat(20)}`;
  await publish(page, name, prompt, `${tag.toUpperCase()}, Trains`);
  const card = other.getByRole('article', { name });
  await expect(card).toContainText('by Ada Lovelace');
  await expect(card).toContainText(`${prompt.slice(0, 160)}…`);
  await expect(card).toContainText(`#${tag}`);
  await expectAccessible(other);
  await expectNoSidewaysScroll(other);

  await page.goto(`/explore?tag=${tag}`);
  const own = page.getByRole('article', { name });
  await expect(own.getByRole('button', { name: /favorited 0/u })).toBeVisible();
  await card.getByRole('button', { name: /^Favorite/u }).click();
  await expect(other.getByText('Favorited!')).toBeVisible();
  await expect(card.getByRole('button', { pressed: true })).toContainText('1');
  await expect(own.getByRole('button', { name: /favorited 1/u })).toBeVisible();

  // Three presses on a phone find an agent by a word and open a chat with it: the sidebar, its search, the agent.
  await (await sidebar(other)).getByRole('button', { name: 'Search', exact: true }).click();
  await other.getByPlaceholder(/^Search sessions/u).fill(name.toLowerCase());
  await other
    .getByRole('group', { name: 'Public agents' })
    .getByRole('option', { name: `Try ${name}` })
    .click();
  await expect(other.getByRole('button', { name: `Agent: ${name}` })).toBeVisible();
  await other.goBack();

  await card.getByRole('link', { name }).click();
  const whole = other.getByRole('dialog', { name });
  await expect(whole).toContainText(prompt.trim());
  await expectAccessible(other);
  await whole.getByRole('button', { name: 'Try it' }).click();
  await expect(other.getByRole('button', { name: `Agent: ${name}` })).toBeVisible();

  // On a desktop three presses do it on the page too.
  await (await sidebar(other)).getByRole('link', { name: 'Explore Agents' }).click();
  await other.getByLabel('Search by words').click();
  await other.keyboard.type(`nothing ${name}`);
  await expect(other.getByText(`No public agent has “nothing ${name}” in its name or description.`)).toBeVisible();
  await other.getByLabel('Search by words').fill(name.toUpperCase());
  await card.getByRole('button', { name: 'Try it' }).click();
  await expect(other.getByRole('button', { name: `Agent: ${name}` })).toBeVisible();
  await other.goBack();
  await expect(other.getByLabel('Search by words')).toHaveValue(name.toUpperCase());
  await expect(card).toBeVisible();

  await other.goto(`/explore?tag=${tag}`);
  await keepNotices(other);
  await card.getByRole('button', { name: 'Use This Agent' }).click();
  await expect(other.getByText('Agent saved to your account!')).toBeVisible();
  await expect(other).toHaveURL(/\/library/u);
  await expect(other.getByText('Pro Feature: This section is only available to Pro users.')).toBeVisible();
  await expect(other.getByRole('button', { name: `Chat with ${name}` })).toBeFocused();
  // The notice doesn't cover it.
  await other.getByRole('button', { name: `Chat with ${name}` }).click({ trial: true });
  await expectAccessible(other);
  await other.keyboard.press('Enter');
  await expect(other.getByRole('button', { name: `Agent: ${name}` })).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'Message' })).toBeFocused();

  await other.goto(`/explore?tag=${tag}`);
  await expect(card).toBeVisible();
  await page.goto('/library');
  await page.getByRole('article', { name }).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('region', { name: /^Edit/u }).getByLabel('Public').uncheck();
  await page.getByRole('button', { name: 'Save Agent' }).click();
  await expect(card).toBeHidden();
  await expect(other.getByText(`No public agent has the tag #${tag}.`)).toBeVisible();
  expect(grace.errors).toEqual([]);
  await grace.close();
});

test('a copy shows what its original changed, and takes over what is chosen', { tag: '@night' }, async ({
  page,
  browser,
  server,
}) => {
  const tag = newTag('kitchen');
  const ada = await register(page);
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');
  await publish(page, 'Chef', 'You cook', tag);
  const { other, errors, close } = await second(browser, server, page);
  await other.goto(`/explore?tag=${tag}`);
  await other.getByRole('button', { name: 'Use This Agent' }).click();
  await other.getByRole('button', { name: 'Chat with Chef' }).click();
  await other.getByRole('button', { name: 'Edit Chef' }).click();
  const dialog = other.getByRole('dialog', { name: 'Edit Agent' });
  await expect(dialog).toContainText('Copy of Chef by Ada Lovelace.');

  await page.goto('/library');
  await page.getByRole('article', { name: 'Chef' }).getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('region', { name: 'Edit “Chef”' });
  await form.getByLabel('Prompt').fill('You cook without peanuts');
  await form.getByLabel('Tags').fill(`${tag}, safe`);
  await form.getByRole('button', { name: 'Save Agent' }).click();

  await dialog.getByRole('button', { name: 'See the difference' }).click();
  const difference = other.getByRole('dialog', { name: 'The original changed' });
  await expect(difference.getByRole('region', { name: 'Prompt' })).toContainText('You cook without peanuts');
  await expectAccessible(other);
  await difference.getByRole('checkbox', { name: 'Tags' }).uncheck();
  await difference.getByRole('button', { name: 'Take over' }).click();
  await expect(other.getByText('Updated from the original.')).toBeVisible();
  await expect(dialog.getByLabel('Prompt')).toHaveValue('You cook without peanuts');
  await expect(dialog.getByLabel('Tags')).toHaveValue(tag);
  await expect(dialog.getByText('The original changed.')).toBeHidden();
  expect(errors).toEqual([]);
  await close();
});

test('the library holds own agents and favorites, and agents travel as files', async ({ page, server, complaints }) => {
  const tag = newTag('plans');
  complaints.expectConsole(/status of 409/u);
  const ada = await register(page);
  await page.goto('/library');
  await expect(page.getByText('Pro Feature: This section is only available to Pro users.')).toBeVisible();
  await expect(page.getByText(/converted to ZAR/u)).toBeVisible();
  await keepNotices(page);
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');
  // It would lie over what is pressed next.
  await closeToast(page, 'You now have Pro access.');
  expect(await page.evaluate(() => sessionStorage.getItem('seen-as-free'))).toBeNull();
  await expect(page.getByRole('heading', { name: 'My Agents' })).toBeVisible();
  await expect(page.getByText('You have no favorites yet.')).toBeVisible();

  const prompt = `You plan. ${'Carefully. '.repeat(20)}`;
  await publish(page, 'Planner', prompt, tag);
  await page.goto('/library');
  const mine = page.getByRole('list', { name: 'My agents' }).getByRole('article', { name: 'Planner' });
  await expect(mine).toContainText(`${prompt.slice(0, 100)}…`);
  await page.goto(`/explore?tag=${tag}`);
  await page.getByRole('button', { name: /^Favorite/u }).click();
  await expect(page.getByText('Favorited!')).toBeVisible();
  await page.goto('/library');
  const favorites = page.getByRole('list', { name: 'Favorited agents' });
  await expect(favorites.getByRole('article', { name: 'Planner' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseForSession(page, mine, /^More for/u, 'Export'),
  ]);
  const content = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(content).toMatchObject({ format: 'atelier.agent', version: 1, agent: { name: 'Planner', prompt } });

  const pick = (body: unknown) =>
    page
      .getByLabel('Agent file')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(body)) });
  await pick({ ...content, version: 2 });
  await expect(page.getByText('version: This server reads agent files of version 1 only.')).toBeVisible();
  await pick({ ...content, agent: { ...content.agent, isPublic: true } });
  await expect(page.getByText('The file has an unknown field: isPublic.')).toBeVisible();
  await pick({ ...content, agent: { ...content.agent, prompt: '<img src=x onerror=alert(1)>' } });
  const preview = page.getByRole('dialog', { name: 'Import agent' });
  await expect(preview).toContainText('<img src=x onerror=alert(1)>');
  await expectAccessible(page);
  await preview.getByRole('button', { name: 'Save Agent' }).click();
  await expect(preview.getByText('You already have an agent with this name. Choose another name.')).toBeVisible();
  await preview.getByLabel('Name').fill('<script>alert(1)</script>');
  await preview.getByRole('button', { name: 'Save Agent' }).click();
  await expect(page.getByRole('heading', { name: '<script>alert(1)</script>' }).first()).toBeVisible();

  await keepNotices(page);
  await favorites.getByRole('button', { name: 'Remove favorite' }).click();
  await expect(page.getByText('You have no favorites yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(favorites.getByRole('article', { name: 'Planner' })).toBeVisible();

  await expect(page.getByLabel('Search my agents')).toBeHidden();
  for (let i = 1; i <= 6; i += 1) await createAgent(page, `Helper ${i}`, 'You help');
  await page.getByLabel('Search my agents').fill('help 4');
  await expect(mine).toBeHidden();
  await page.reload();
  const found = page.getByRole('list', { name: 'My agents' }).getByRole('article');
  await expect(found).toHaveCount(1);
  // The whole card opens the chat.
  await found.click({ position: { x: 40, y: 60 } });
  await expect(page.getByRole('button', { name: 'Agent: Helper 4' })).toBeVisible();
});

test('all of explore goes by keyboard', { tag: '@night' }, async ({ page, server }) => {
  const tag = newTag('keys');
  const ada = await register(page);
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');
  await publish(page, 'Keyboard Friend', 'You press keys', tag);
  await page.goto('/explore');
  await page.getByLabel('Search by tag').focus();
  await page.keyboard.type(`#${tag.toUpperCase()}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`tag=${tag}`, 'u'));
  await expect(page.getByRole('article')).toHaveCount(1);
  const link = page.getByRole('link', { name: 'Keyboard Friend', exact: true });
  await tabTo(page, link);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/explore/[^/]+/keyboard-friend\\?tag=${tag}$`, 'u'));
  await closeByEscape(page, page.getByRole('dialog', { name: 'Keyboard Friend' }));
  await expect(page).toHaveURL(new RegExp(`/explore\\?tag=${tag}$`, 'u'));
  await expect(link).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: /^Favorite/u }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /favorited 1/u })).toHaveAttribute('aria-pressed', 'true');
});
