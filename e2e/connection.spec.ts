import type { Page } from '@playwright/test';
import { freePort } from '../server/src/testing/listen.ts';
import { expect, test } from './journey.ts';
import { startServer } from './server.ts';
import {
  ask,
  closeByEscape,
  closeSidebar,
  composer,
  createAgentByHand,
  exchanges,
  openConversation,
  send,
  sidebar,
  signUp,
  startSession,
} from './workshop.ts';

async function openNotes(page: Page) {
  await signUp(page);
  await createAgentByHand(page, 'Field Notes', 'You help me plan trips');
  await startSession(page, 'Field Notes');
}

const UNREACHED = 'The server could not be reached. Check your connection and try again.';

test('a connection that is lost is said at once, loses no word, and comes back by itself', { tag: '@phone' }, async ({
  page,
  context,
  complaints,
}) => {
  complaints.expectConsole(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/u);
  // As if the connection was lost before the page was idle: what a press opens is not here yet.
  let isAway = true;
  await page.route('**/assets/share-dialog-*.js*', (route) => (isAway ? route.abort() : route.continue()));
  await openNotes(page);
  await expect(page.getByText('Nothing said yet.')).toBeVisible();
  const notice = page.getByText('You are offline. What you type stays here until you are back.');
  await context.setOffline(true);
  await expect(notice).toBeVisible();

  await send(page, 'My sister is allergic to peanuts');
  await expect(page.getByText(UNREACHED)).toBeVisible();
  await expect(composer(page)).toHaveValue('My sister is allergic to peanuts');
  // A page that was never fetched can't be had now; this one stays, with what is typed in it.
  await (await sidebar(page)).getByRole('link', { name: 'Billing Settings' }).click();
  await expect(page.getByText('This page can’t be opened without a connection.')).toBeVisible();
  await closeSidebar(page);
  await expect(page).toHaveURL(/sessionId=/u);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Share session' }).click();
  await expect(page.getByText('What you pressed opens then.')).toBeVisible();

  isAway = false;
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await closeByEscape(page, page.getByRole('dialog', { name: 'Share this session' }));
  await expect(composer(page)).toHaveValue('My sister is allergic to peanuts');
  await composer(page).press('Enter');
  await expect(exchanges(page).last()).toContainText('Noted');

  // As after an update of the server: the page's script is gone, so the router can only reload everything.
  complaints.expectConsole(/status of 404|Error loading route module|Failed to fetch dynamically/u);
  await page.route('**/assets/billing-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await composer(page).fill('And to shellfish');
  await (await sidebar(page)).getByRole('link', { name: 'Billing Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Billing & Plans' })).toBeVisible();
  await (await sidebar(page)).getByRole('link', { name: 'Runtime', exact: true }).click();
  // The drawer, which hid it, has closed.
  await expect(page.getByRole('heading', { name: 'No session selected' })).toBeVisible();
  await (await sidebar(page)).getByRole('navigation', { name: 'Sessions' }).getByRole('link').first().click();
  await expect(composer(page)).toHaveValue('And to shellfish');
});

test('what is sent before the conversation could be had stays in the composer, and is sent by hand', {
  tag: '@night',
}, async ({ page, context, complaints }) => {
  complaints.expectConsole(/ERR_INTERNET_DISCONNECTED/u);
  const asked = Promise.withResolvers<void>();
  await page.route(/\/api\/sessions\/[^/]+\/tasks\?/u, async (route) => {
    // The composer comes with a part of its own, which can't be fetched any more afterwards.
    await expect(composer(page)).toBeVisible();
    await context.setOffline(true);
    asked.resolve();
    await route.abort('internetdisconnected');
  });
  await openNotes(page);
  await asked.promise;
  await page.unrouteAll();
  await send(page, 'My sister is allergic to peanuts');
  await expect(page.getByText(UNREACHED).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();

  await context.setOffline(false);
  await expect(page.getByText('Nothing said yet.')).toBeVisible();
  await expect(composer(page)).toHaveValue('My sister is allergic to peanuts');
  await expect(page.getByText(UNREACHED)).toHaveCount(0);
  await composer(page).press('Enter');
  await expect(exchanges(page).last()).toContainText('Noted');
  await expect(composer(page)).toHaveValue('');
});

test('a part of the page that could not be fetched is fetched once more, under another address', async ({
  page,
  complaints,
}) => {
  complaints.expectConsole(/ERR_FAILED/u);
  const fetched: string[] = [];
  page.on('requestfinished', (request) => fetched.push(request.url()));
  await page.route('**/assets/toast-stack-*.js', (route) => route.abort(), { times: 1 });
  await signUp(page);
  await createAgentByHand(page, 'Field Notes', 'You help me plan trips');
  await expect.poll(() => fetched.filter((url) => /toast-stack-[^/]*\.js\?\d+$/u.test(url))).toHaveLength(1);
});

test('a page whose scripts did not come says so, and how to go on', { tag: '@phone' }, async ({ page, complaints }) => {
  complaints.expectConsole(/ERR_FAILED/u);
  const notice = page.getByText('This page could not be loaded completely.');
  await page.route('**/assets/entry.client-*.js', (route) => route.abort(), { times: 1 });
  await page.goto('/login');
  await expect(notice).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Log In' })).toBeEnabled();
  await expect(notice).toBeHidden();
});

test('a page by plain http from another machine, where the browser withholds much, sends, edits, attaches and copies', async ({
  page,
  complaints,
}) => {
  const port = await freePort();
  // To the browser this is no address of its own machine.
  const url = `http://0.0.0.0:${port}`;
  complaints.expectConsole(/another host: http:\/\/0\.0\.0\.0:/u);
  const server = await startServer({ PORT: `${port}`, PUBLIC_URL: url });
  await openConversation(page, { agent: 'Story Teller', prompt: 'You tell stories', at: url, pro: server });
  expect(await page.evaluate('isSecureContext')).toBe(false);
  await page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Clay') });
  await expect(page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  const answer = await ask(page, 'Tell me of kilns');
  await answer.getByRole('button', { name: 'Copy answer' }).click();
  await expect(answer.getByRole('button', { name: 'Copied' })).toBeVisible();
  await answer.getByRole('button', { name: 'Edit message' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Tell me of looms');
  await page.keyboard.press('Enter');
  await expect(exchanges(page).last().getByRole('group', { name: 'Versions of this message' })).toContainText('2 of 2');
  await page.goto('about:blank');
  await server.stop();
});
