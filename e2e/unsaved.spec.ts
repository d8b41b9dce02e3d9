import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './journey.ts';
import {
  ask,
  closeByEscape,
  closeSidebar,
  closeToast,
  createAgent,
  openConversation,
  register,
  sidebar,
  signUp,
} from './workshop.ts';

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard your changes?' });
const keep = (page: Page) => question(page).getByRole('button', { name: 'Keep editing' });
const discard = (page: Page) => question(page).getByRole('button', { name: 'Discard' });

test('an agent form with changes asks before it closes; one without closes at once', { tag: '@phone' }, async ({
  page,
  hasTouch,
}) => {
  await signUp(page);
  await (await sidebar(page)).getByRole('link', { name: 'Explore Agents' }).click();
  await expect(page.getByRole('heading', { name: 'Discover Public Agents' })).toBeVisible();
  await (await sidebar(page)).getByRole('link', { name: 'Runtime' }).click();
  await expect(page).toHaveURL(/runtime$/u);
  const open = page.getByRole('button', { name: 'Create Agent' }).first();
  const form = page.getByRole('dialog', { name: 'Create Agent' });
  await open.click();
  await closeByEscape(page, form);
  await expect(open).toBeFocused();

  await open.click();
  const prompt = form.getByLabel('Prompt');
  await form.getByLabel('Name').fill('Field Notes');
  await prompt.fill('You help me plan trips');
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await expect(keep(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(prompt).toBeFocused();
  await expect(prompt).toHaveValue('You help me plan trips');

  const ways = {
    cross: () => form.getByRole('button', { name: 'Close' }).click(),
    outside: () => page.mouse.click(hasTouch ? 195 : 40, 10),
    back: () => page.goBack(),
    palette: async () => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder(/^Search sessions/u).fill('New session');
      await page.getByRole('option', { name: 'New session…' }).click();
    },
  };
  for (const [way, close] of Object.entries(ways)) {
    // For a moment after a question has closed, the dialog below it ignores a press outside.
    await expect(form).toHaveCSS('pointer-events', 'auto');
    // A press on a toast is none outside the dialog.
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
    await close();
    await expect(question(page), way).toBeVisible();
    await keep(page).click();
    await expect(question(page)).toBeHidden();
    await expect(prompt).toHaveValue('You help me plan trips');
  }

  // The browser itself asks before a reload.
  const asked = page.waitForEvent('dialog');
  void page.evaluate('location.reload()').catch(() => {});
  const warning = await asked;
  expect(warning.type()).toBe('beforeunload');
  await warning.dismiss();
  await expect(prompt).toHaveValue('You help me plan trips');

  await page.keyboard.press('Escape');
  await discard(page).click();
  await expect(form).toBeHidden();
  await expect(open).toBeFocused();
  await open.click();
  await expect(prompt).toHaveValue('');
});

test('the form of the library asks before another agent, another page or a sign-out takes its place', async ({
  page,
  server,
}) => {
  const ada = await register(page);
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');
  await createAgent(page, 'Chef', 'You cook');
  await createAgent(page, 'Tutor', 'You teach');
  await page.goto('/library');
  await page.getByRole('article', { name: 'Chef' }).getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('region', { name: 'Edit “Chef”' });
  await form.getByLabel('Prompt').fill('You cook without peanuts');

  await page.getByRole('article', { name: 'Tutor' }).getByRole('button', { name: 'Edit' }).click();
  await keep(page).click();
  await (await sidebar(page)).getByRole('link', { name: 'Explore Agents' }).click();
  await keep(page).click();
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  await keep(page).click();
  await (await sidebar(page)).getByRole('button', { name: 'New session' }).click();
  await keep(page).click();
  await closeSidebar(page);
  await expect(page).toHaveURL(/\/library$/u);

  // What says Cancel is believed.
  await form.getByRole('button', { name: 'Add a server' }).click();
  await form.getByLabel('Address').fill('https://example.com/mcp');
  await form.getByRole('group', { name: 'Add a server' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(form.getByRole('group', { name: 'Add a server' })).toBeHidden();
  await expect(form.getByLabel('Prompt')).toHaveValue('You cook without peanuts');

  await (await sidebar(page)).getByRole('link', { name: 'Explore Agents' }).click();
  await discard(page).click();
  await expect(page.getByRole('heading', { name: 'Discover Public Agents' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('article', { name: 'Chef' })).toContainText('You cook');

  // The session that was not begun does not begin later.
  const loaded = page.waitForResponse(/\/assets\/pick-agent-dialog-/u);
  await (await sidebar(page)).getByRole('link', { name: 'Runtime', exact: true }).click();
  await (await loaded).finished();
  await expect(page.getByRole('region', { name: 'New session' })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('dialog', { name: 'New session' })).toHaveCount(0);
});

test('an open form keeps what is typed when the agent is edited or deleted in another tab', { tag: '@night' }, async ({
  page,
  context,
}) => {
  await openConversation(page, { prompt: 'You help me plan trips' });
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Agent' });
  await form.getByLabel('Prompt').fill('You plan trips by train');

  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Edit Agent' }).click();
  const there = other.getByRole('dialog', { name: 'Edit Agent' });
  await there.getByLabel('Tags').fill('travel');
  await there.getByRole('button', { name: 'Save Agent' }).click();
  await expect(there).toBeHidden();
  // It lies over the button that saves, and stays while the pointer rests on it.
  await closeToast(other, 'Agent updated!');
  await expect(form.getByLabel('Tags')).toHaveValue('travel');
  await expect(form.getByRole('alert')).toBeHidden();

  await other.getByRole('button', { name: 'Edit Agent' }).click();
  await there.getByLabel('Prompt').fill('You plan trips by boat');
  await there.getByRole('button', { name: 'Save Agent' }).click();
  await closeToast(other, 'Agent updated!');
  await expect(form.getByRole('alert')).toContainText('This agent was changed meanwhile: Prompt.');
  await expect(form.getByLabel('Prompt')).toHaveValue('You plan trips by train');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Use the other version' }).click();
  await expect(form.getByLabel('Prompt')).toHaveValue('You plan trips by boat');

  await form.getByLabel('Prompt').fill('You plan trips on foot');
  await other.getByRole('button', { name: 'Edit Agent' }).click();
  await there.getByRole('button', { name: 'Delete' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Delete agent' }).click();
  await expect(form.getByRole('alert')).toContainText('This agent has been deleted.');
  await expect(form.getByLabel('Prompt')).toHaveValue('You plan trips on foot');
  await form.getByRole('button', { name: 'Create Agent' }).click();
  await expect(page.getByText('Agent created!')).toBeVisible();
});

test('a memory under the pen is kept: in a receipt, and when it is changed in another tab', { tag: '@night' }, async ({
  page,
  context,
  server,
  complaints,
}) => {
  complaints.expectConsole(/status of 40[49]/u);
  await openConversation(page, { prompt: 'You help me plan trips', pro: server });
  await ask(page, 'My sister is allergic to peanuts');
  const answer = await ask(page, 'What is my sister allergic to?');
  await answer.getByRole('button', { name: /memor/iu }).click();
  const receipt = page.getByRole('dialog', { name: 'Context Retrieved' });
  await receipt.getByRole('button', { name: 'Edit' }).first().click();
  const words = receipt.getByLabel('What is remembered');
  await words.fill('Nora is allergic to peanuts');
  await page.mouse.click(5, 5);
  await keep(page).click();
  await expect(question(page)).toBeHidden();
  await expect(words).toHaveValue('Nora is allergic to peanuts');
  await page.keyboard.press('Escape');
  await discard(page).click();
  await expect(words).toBeHidden();
  await page.keyboard.press('Escape');

  await page.goto('/memory?view=said');
  // The oldest of them is what she said herself.
  const oldest = (at: Page) => at.getByRole('listitem').filter({ hasText: 'My sister is allergic' }).last();
  await oldest(page).getByRole('button', { name: 'Edit' }).click();
  const field = page.getByLabel('What is remembered');
  await field.fill('Nora is allergic to peanuts');
  const other = await context.newPage();
  await other.goto('/memory?view=said');
  await oldest(other).getByRole('button', { name: 'Forget', exact: true }).click();
  await other
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Forget/u })
    .click();
  await expect(other.getByText(/forgotten\.$/u)).toBeVisible();
  await page.getByLabel('Search memories').fill('nothing has these words');
  await expect(field).toHaveValue('Nora is allergic to peanuts');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(field).toHaveValue('Nora is allergic to peanuts');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
});

test('what is written to us outlasts a reload and a look at another page, until it is sent', async ({
  page,
  provided,
}) => {
  // The shared server may have taken all the messages that it takes from one address.
  const signIn = '**/api/auth/get-session';
  await page.route(signIn, () => {});
  await page.goto(`${provided.server.url}/contact`);
  const message = page.getByLabel('Message', { exact: true });
  // The server has not said yet who is there.
  await message.fill('I found a saw.');
  await page.getByLabel('Your email address').fill('visitor@example.com');
  await page.unroute(signIn);
  await page.reload();
  await expect(message).toHaveValue('I found a saw.');
  await page.getByRole('link', { name: 'Terms' }).first().click();
  await expect(page).toHaveURL(/\/terms$/u);
  await page.goBack();
  await expect(message).toHaveValue('I found a saw.');
  await expect(page.getByLabel('Your email address')).toHaveValue('visitor@example.com');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('status')).toHaveText('Message sent successfully!');
  await page.reload();
  await expect(message).toHaveValue('');
});
