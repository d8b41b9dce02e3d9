import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './journey.ts';
import {
  composer,
  conversation,
  createAgent,
  exchanges,
  keepNotices,
  newPerson,
  newTag,
  register,
  shown,
  startSession,
  tabTo,
} from './workshop.ts';

/** Records every announcement about answers from now on. */
const listen = (page: Page) =>
  page.evaluate(`globalThis.said = []; new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[aria-live="polite"]');
      if (region && region.textContent.trim() !== '') globalThis.said.push(region.textContent);
    }
  }).observe(document.getElementById('content'), { subtree: true, childList: true, characterData: true });`);

async function askByKeyboard(page: Page, text: string): Promise<void> {
  await expect(composer(page)).toBeFocused();
  const exchange = await shown(page, async () => {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  });
  await expect(exchange.getByRole('button', { name: 'Copy answer' })).toBeVisible();
}

test('@desk the whole way by keyboard alone, and what a reader is told on it', async ({ page, server, playwright }) => {
  const author = await playwright.request.newContext({
    baseURL: server.url,
    extraHTTPHeaders: { origin: server.url },
  });
  const zoe = newPerson('Zoë');
  await author.post('/api/auth/sign-up/email', { data: zoe });
  await server.admin('grant-pro', zoe.email, '--reason', 'a journey');
  const tag = newTag('lanterns');
  const data = { name: 'Lantern Keeper', prompt: 'You keep lanterns', tags: [tag], isPublic: true };
  expect((await author.post('/api/agents', { data })).status()).toBe(201);
  await author.dispose();

  const ada = newPerson();
  await page.goto('/signup');
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeEnabled();
  await tabTo(page, page.getByLabel('Username'));
  await page.keyboard.type(ada.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ada.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ada.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please select or create a session (agent) to start chatting.')).toBeVisible();
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');

  const create = page.getByRole('banner').getByRole('button', { name: 'Create Agent' });
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Create Agent' });
  await expect(form.getByLabel('Prompt')).toBeFocused();
  await page.keyboard.type('You help me plan trips');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Field Notes');
  await tabTo(page, form.getByRole('button', { name: 'Create Agent' }));
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect(composer(page)).toBeFocused();

  await listen(page);
  await askByKeyboard(page, 'My sister is allergic to peanuts');
  await askByKeyboard(page, 'What is my sister allergic to?');
  const log = conversation(page);
  await expect(log).toHaveAttribute('aria-busy', 'false');
  await expect(log).toMatchAriaSnapshot(`
    - log "Conversation":
      - article "My sister is allergic to peanuts":
        - heading /^You/ [level=2]
        - paragraph: My sister is allergic to peanuts
        - heading /^Field Notes/ [level=2]
        - button "Copy answer"
      - article "What is my sister allergic to?":
        - heading /^You/ [level=2]
        - paragraph: What is my sister allergic to?
        - heading /^Field Notes/ [level=2]
        - 'button "Memory: 1 from here"'
        - button "Copy answer"
  `);
  // Each answer is announced once and whole, when it is done: never word by word.
  const said = () => page.evaluate('globalThis.said');
  await expect
    .poll(said)
    .toEqual([
      expect.stringMatching(/^Field Notes answered: [^*]*peanuts[^*]*$/u),
      expect.stringMatching(/^Field Notes answered: [^*]*peanuts[^*]*$/u),
    ]);

  const chip = exchanges(page).last().getByRole('button', { name: 'Memory: 1 from here' });
  await tabTo(page, chip, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const memories = page.getByRole('dialog', { name: 'Context Retrieved' });
  await expect(memories).toContainText('My sister is allergic to peanuts');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(chip).toBeFocused();
  await page.keyboard.press('/');
  await expect(composer(page)).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder(/^Search sessions/u)).toBeFocused();
  await page.keyboard.type('explore');
  await expect(page.getByRole('option', { name: 'Explore Agents' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explore$/u);
  await tabTo(page, page.getByLabel('Search by tag'));
  await page.keyboard.type(tag);
  await page.keyboard.press('Enter');
  // The search begins once typing has stopped, and then replaces the cards.
  await expect(page).toHaveURL(/[?&]tag=/u);
  const card = page.getByRole('article', { name: 'Lantern Keeper' });
  await expect(card).toHaveCount(1);
  await tabTo(page, card.getByRole('button', { name: 'Use This Agent' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/library\?copied=/u);
  const own = page.getByRole('list', { name: 'My agents' }).getByRole('article', { name: 'Lantern Keeper' });
  await expect(own).toContainText('copy of “Lantern Keeper”');
  const chat = page.getByRole('button', { name: 'Chat with Lantern Keeper' });
  await expect(chat.first()).toBeFocused();
  await tabTo(page, chat.nth(1));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Agent: Lantern Keeper' })).toBeVisible();
  await expect(composer(page)).toBeFocused();

  // Pages without the application also show the link back, before the first paint.
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Log in' })).toBeHidden();
  await tabTo(page, page.getByRole('link', { name: 'Back to the runtime' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/runtime$/u);
});

test('@desk paying, adding a file and leaving for good by keyboard alone', { tag: '@night' }, async ({
  page,
  complaints,
}) => {
  // The wrong password.
  complaints.expectConsole(/403/u);
  const person = await register(page);
  await page.goto('/billing');
  const upgrade = page.getByRole('button', { name: 'Upgrade to Pro' });
  const checkout = page.frameLocator('iframe[id^="inline-checkout-"]');
  const choose = async (outcome: RegExp) => {
    await tabTo(page, upgrade);
    await page.keyboard.press('Enter');
    await tabTo(page, checkout.getByRole('button', { name: outcome }));
    await page.keyboard.press('Enter');
  };
  await choose(/^Decline/u);
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText('Transaction was not completed.');
  await expect(alert.getByRole('button', { name: 'OK' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(alert).toBeHidden();
  await expect(upgrade).toBeFocused();
  await choose(/^Success/u);
  await expect(page.getByText('Pro — Lifetime Access')).toBeVisible();

  await createAgent(page, 'Reader', 'You read');
  await page.goto('/runtime');
  await startSession(page, 'Reader');
  const edit = page.getByRole('button', { name: 'Edit Agent' });
  await tabTo(page, edit);
  await page.keyboard.press('Enter');
  const files = page.getByRole('dialog', { name: 'Edit Agent' }).getByRole('region', { name: 'Files' });
  const choosing = page.waitForEvent('filechooser');
  await tabTo(page, files.getByRole('button', { name: 'Choose files' }));
  await page.keyboard.press('Enter');
  const buffer = Buffer.from('The lighthouse keeper is called Ingeborg.');
  await (await choosing).setFiles({ name: 'harbour.txt', mimeType: 'text/plain', buffer });
  await expect(files.getByText('Ready')).toBeVisible();
  await keepNotices(page);
  await tabTo(page, files.getByRole('button', { name: 'Delete harbour.txt' }));
  await page.keyboard.press('Enter');
  await expect(files).toContainText('No files yet.');
  // The pressed button is gone; undo has the focus.
  await expect(files.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(files.getByRole('button', { name: 'Delete harbour.txt' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();

  await page.goto('/account');
  const leave = page.getByRole('button', { name: 'Delete account' });
  await tabTo(page, leave);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await tabTo(page, dialog.getByLabel('Your password'));
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription('This is not your password.');
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(person.password);
  await tabTo(page, dialog.getByRole('button', { name: 'Delete everything' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/$/u);
});
