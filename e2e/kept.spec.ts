import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './journey.ts';
import { ask, composer, openConversation, type Person, register, send, sidebar } from './workshop.ts';

/** Logs in on the sign-up page that is open, by its link; that page knows where somebody was. */
async function logInAgain(page: Page, { email, password }: Person) {
  await expect(page).toHaveURL(/\/signup$/u);
  await page.getByRole('link', { name: 'Log in', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

const chosen = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
const choose = (page: Page, name: string) =>
  page
    .getByLabel('Files to attach')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from('Work,Price\nRoof repair,420\n') });

test('what was typed and chosen waits for the same person when a sign-in is ended elsewhere', {
  tag: '@night',
}, async ({ page, context, browser, server, complaints }) => {
  complaints.expectConsole(/status of 40[14]/u);
  const ada = await openConversation(page, { prompt: 'You keep notes', pro: server });
  const place = page.url();
  await page.reload();
  await composer(page).fill('Half a thought');
  await choose(page, 'prices.csv');
  await expect(chosen(page)).toHaveCount(1);
  await expect(chosen(page).getByRole('progressbar')).toHaveCount(0);
  // This one stays on its way.
  await page.route('**/attachments', () => new Promise(() => {}));
  await choose(page, 'costs.csv');
  await expect(chosen(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Edit Agent' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Agent' });
  const long = 'You keep notes of everything that was said.\n'.repeat(100).trim();
  await form.getByLabel('Prompt').fill(long);

  const other = await (await browser.newContext({ baseURL: server.url })).newPage();
  await other.goto('/login');
  await other.getByLabel('Email').fill(ada.email);
  await other.getByLabel('Password', { exact: true }).fill(ada.password);
  await other.getByRole('button', { name: 'Log In' }).click();
  await expect(other).toHaveURL(/\/runtime/u);
  await other.goto('/account');
  await other.getByRole('button', { name: /^Sign out Chrome/u }).click();
  await expect(page.getByText('You were signed out. Please log in again.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'log in', exact: true })).toHaveAttribute('href', '/login');
  const kept = page.getByRole('paragraph').filter({ hasText: 'What you typed is kept in this browser for 7 days.' });
  await expect(kept.getByRole('link', { name: 'Log in', exact: true })).toHaveAttribute('href', '/login');
  await expectAccessible(page);
  await other.context().close();

  // The tab is closed, with the upload: another one takes over what it had.
  await page.close();
  const tab = await context.newPage();
  await tab.goto(place);
  await logInAgain(tab, ada);
  await expect(tab).toHaveURL(place);
  const again = tab.getByRole('dialog', { name: 'Edit Agent' });
  await expect(again.getByLabel('Prompt')).toHaveValue(long);
  await expectAccessible(tab);
  await again.getByRole('button', { name: 'Cancel' }).click();
  await expect(again).toBeHidden();
  await expect(composer(tab)).toHaveValue('Half a thought');
  await expect(chosen(tab)).toHaveCount(2);
  await expect(chosen(tab).getByRole('progressbar')).toHaveCount(0);
  await expect(chosen(tab).getByRole('alert')).toHaveCount(0);
});

/** The cookie is gone when something is sent to this path, which is refused: the sign-in ends by itself. */
async function loseCookieAt(page: Page, path: RegExp) {
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await page.context().clearCookies();
    await route.continue();
    await page.unroute(path);
  });
}

test('open forms are there again after the cookie was gone, and nothing of them for another account', {
  tag: '@night',
}, async ({ page, context, server, complaints }) => {
  complaints.expectConsole(/status of 40[14]|ERR_FAILED/u);
  const ada = await openConversation(page, { prompt: 'You help me plan trips', pro: server });
  const place = page.url();
  await ask(page, 'My sister is allergic to peanuts');

  // Not sent, because no answer came, and behind other words.
  const held = Promise.withResolvers<void>();
  await page.route(/\/tasks$/u, async (route) => {
    await held.promise;
    await route.abort();
  });
  await send(page, 'Where shall we go?');
  await composer(page).fill('And when?');
  held.resolve();
  const unsent = page.getByRole('article', { name: 'Where shall we go?' });
  await expect(unsent.getByRole('alert')).toContainText('Not sent.');
  await page.unroute(/\/tasks$/u);

  const message = page.getByRole('textbox', { name: 'Edit message' });
  await page.getByRole('button', { name: 'Edit message' }).first().click();
  await message.fill('My brother is allergic to nuts');
  await loseCookieAt(page, /\/edit$/u);
  await page.getByRole('button', { name: 'Save & send' }).click();
  await logInAgain(page, ada);
  await expect(page).toHaveURL(place);
  await expect(message).toHaveValue('My brother is allergic to nuts');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue('And when?');
  await expect(unsent.getByRole('alert')).toContainText('Not sent.');
  await unsent.getByRole('button', { name: 'Discard' }).click();
  await message.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();

  await page.getByRole('button', { name: 'Saved prompts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New prompt' }).click();
  const prompt = page.getByRole('dialog', { name: 'New prompt' });
  await prompt.getByLabel('Name').fill('Trip');
  await prompt.getByLabel('Text').fill('Plan a trip to {{place}}');
  await loseCookieAt(page, /\/prompts$/u);
  await prompt.getByRole('button', { name: 'Save prompt' }).click();
  await logInAgain(page, ada);
  await expect(prompt.getByLabel('Text')).toHaveValue('Plan a trip to {{place}}');
  await expect(prompt.getByLabel('Name')).toHaveValue('Trip');
  await prompt.getByRole('button', { name: 'Save prompt' }).click();
  await expect(page.getByRole('dialog', { name: 'Saved prompts' })).toContainText('Trip');

  await page.goto('/memory?view=said');
  const memory = page.getByLabel('What is remembered');
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await memory.fill('Nora is allergic to peanuts');
  await loseCookieAt(page, /\/memories\//u);
  await page.getByRole('button', { name: 'Save' }).click();
  await logInAgain(page, ada);
  await expect(page).toHaveURL(/view=said/u);
  await expect(memory).toHaveValue('Nora is allergic to peanuts');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.goto('/library');
  await page.getByRole('button', { name: 'Create Agent' }).click();
  const form = page.getByRole('region', { name: 'Create Agent' });
  await form.getByLabel('Name').fill('Tutor');
  await form.getByLabel('Prompt').fill('You teach');
  await loseCookieAt(page, /\/agents$/u);
  await form.getByRole('button', { name: 'Create Agent' }).click();
  await logInAgain(page, ada);
  await expect(page).toHaveURL(/\/library$/u);
  await expect(form.getByLabel('Prompt')).toHaveValue('You teach');
  await form.getByRole('button', { name: 'Cancel' }).click();

  // A page that anybody may open shows nobody else what was written there.
  await page.goto('/contact');
  // By its address one sees that the page knows whose words they are.
  await expect(page.getByLabel('Your email address')).toHaveValue(ada.email);
  await page.getByLabel('Message', { exact: true }).fill('I found a saw.');
  await context.clearCookies();
  await page.reload();
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('');
  await page.goto(place);
  await logInAgain(page, ada);
  // A file is refused as it is uploaded, and goes up once the person is back.
  await expect(composer(page)).toHaveValue('And when?');
  await loseCookieAt(page, /\/attachments$/u);
  await choose(page, 'prices.csv');
  await logInAgain(page, ada);
  await expect(chosen(page)).toHaveCount(1);
  await expect(chosen(page).getByRole('progressbar')).toHaveCount(0);
  await expect(chosen(page).getByRole('alert')).toHaveCount(0);
  // The message is refused as it is sent, and comes back, without a sentence about what is over then.
  await loseCookieAt(page, /\/tasks$/u);
  await composer(page).press('Enter');
  await logInAgain(page, ada);
  await expect(composer(page)).toHaveValue('And when?');
  await expect(chosen(page)).toHaveCount(1);
  await expect(page.getByText('Please log in first.')).toBeHidden();
  await page.goto('/contact');
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('I found a saw.');

  await context.clearCookies();
  await register(page);
  await page.goto('/runtime');
  await expect(page.getByRole('heading', { name: 'No session selected' })).toBeVisible();
  const words = `Object.values(localStorage).concat(Object.values(sessionStorage)).join()`;
  for (const word of ['And when?', 'You teach', 'I found a saw.']) {
    await expect.poll(() => page.evaluate(words)).not.toContain(word);
  }
  await context.clearCookies();
  await page.goto(place);
  await logInAgain(page, ada);
  await expect(page).toHaveURL(place);
  await expect(composer(page)).toHaveValue('');

  // A sign-out empties the contact form in other tabs, and on the page that Back brings again.
  const writing = (of: Page) => of.getByLabel('Message', { exact: true });
  const other = await context.newPage();
  for (const tab of [other, page]) {
    await tab.goto('/contact');
    await expect(tab.getByLabel('Your email address')).toHaveValue(ada.email);
    await writing(tab).fill('I lost a saw.');
  }
  await page.getByRole('link', { name: 'Back to the runtime' }).click();
  await (await sidebar(page)).getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/signup$/u);
  await expect(writing(other)).toHaveValue('');
  // The server has not said yet who is there.
  await page.route('**/api/auth/get-session', () => {});
  await page.goBack();
  await expect(writing(page)).toHaveValue('');
  for (const tab of [other, page]) await expect.poll(() => tab.evaluate(words)).not.toContain('saw');
  // What a visitor writes stays for visitors, and is no account's.
  await writing(page).fill('I see a saw.');
  await page.unroute('**/api/auth/get-session');
  await page.reload();
  await expect(writing(page)).toHaveValue('I see a saw.');
  await page.goto(place);
  await logInAgain(page, ada);
  await expect(composer(page)).toHaveValue('');
  await expect.poll(() => page.evaluate(words)).not.toContain('saw');

  // Whoever leaves a computer to others deletes what waits.
  await composer(page).fill('Never mind');
  await expect(other.getByLabel('Your email address')).toHaveValue(ada.email);
  await writing(other).fill('I keep a saw.');
  await context.clearCookies();
  await page.reload();
  await expect(writing(other)).toHaveValue('');
  expect(await other.evaluate(words)).toContain('I keep a saw.');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(page.getByText('Deleted from this browser.')).toBeVisible();
  await expect.poll(() => other.evaluate(words)).not.toContain('saw');
  await expectAccessible(page);
  await logInAgain(page, ada);
  await expect(page).toHaveURL(place);
  await expect(composer(page)).toHaveValue('');
});
