import type { Browser, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { ask, newPerson, openConversation, originOf, register, sidebar } from './workshop.ts';

async function personIn(browser: Browser, server: { url: string; admin(...args: string[]): Promise<string> }) {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const person = await register(page, newPerson('Grace Hopper'), server.url);
  await server.admin('grant-pro', person.email, '--reason', 'a journey');
  return { page, person, context };
}

/** Sends a request as a page would. */
async function call(page: Page, method: 'POST' | 'PUT' | 'DELETE' | 'PATCH', path: string, data: object = {}) {
  const origin = await originOf(page);
  const answer = await page.request.fetch(`${origin}/api/${path}`, { method, headers: { origin }, data });
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
  return answer.status() === 204 ? null : answer.json();
}

test('favorites and copies follow their original in another person’s open library @desk', { tag: '@night' }, async ({
  page,
  browser,
  server,
}) => {
  const author = await personIn(browser, server);
  const { agent } = await call(author.page, 'POST', 'agents', { name: 'Chef', prompt: 'You cook', isPublic: true });
  const ada = await register(page);
  await server.admin('grant-pro', ada.email, '--reason', 'a journey');
  await call(page, 'PUT', `favorites/${agent.creatorId}/chef`);
  await call(page, 'POST', `explore/${agent.creatorId}/chef/copy`);
  await page.goto('/library');
  const favorite = page.getByRole('list', { name: 'Favorited agents' }).getByRole('article');
  await expect(favorite).toContainText('You cook');
  await page.getByRole('list', { name: 'My agents' }).getByRole('button', { name: 'Edit' }).click();
  const copy = page.getByRole('region', { name: 'Edit “Chef”' });
  await expect(copy.getByRole('link', { name: 'Chef' })).toBeVisible();

  await call(author.page, 'PUT', 'agents/chef', { name: 'Chef de cuisine', prompt: 'You cook without peanuts' });
  await expect(favorite).toContainText('Chef de cuisine');
  await expect(favorite).toContainText('You cook without peanuts');
  await expect(copy.getByText('The original changed.')).toBeVisible();

  await call(author.page, 'PUT', 'agents/chef', { isPublic: false });
  await expect(favorite).toBeHidden();
  await expect(copy).toContainText('which is no longer public');
  await call(author.page, 'PUT', 'agents/chef', { isPublic: true });
  await expect(favorite).toBeVisible();

  await server.admin('disable', author.person.email);
  await expect(favorite).toBeHidden();
  await server.admin('enable', author.person.email);
  await expect(favorite).toBeVisible();
  await author.context.close();

  const deleter = await browser.newContext({ baseURL: server.url });
  const origin = server.url;
  await deleter.request.post('/api/auth/sign-in/email', { headers: { origin }, data: author.person });
  await deleter.request.delete('/api/agents/chef', { headers: { origin } });
  await expect(favorite).toBeHidden();
  await expect(page.getByText('You have no favorites yet.')).toBeVisible();
  await deleter.close();
});

test('every list of a person follows what they do in another browser @desk', { tag: '@night' }, async ({
  page,
  browser,
  server,
}) => {
  await openConversation(page, { prompt: 'You help me plan trips', pro: server });
  await ask(page, 'My sister is allergic to peanuts');
  const sessionId = new URL(page.url()).searchParams.get('sessionId') ?? '';
  const context = await browser.newContext({ baseURL: server.url, storageState: await page.context().storageState() });
  const memory = await context.newPage();
  await memory.goto('/memory?view=said');
  const rows = memory.getByRole('list', { name: 'Memories' }).getByRole('listitem');
  await expect(rows.filter({ hasText: 'allergic to peanuts' }).first()).toBeVisible();
  const library = await context.newPage();
  await library.goto('/library');
  const palette = await context.newPage();
  await palette.goto('/runtime');
  await expect(palette.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
  await palette.keyboard.press('Control+k');
  await palette.getByPlaceholder(/^Search sessions/u).fill('Norway');
  await expect(palette.getByText('Nothing was found for “Norway”.')).toBeVisible();

  // A session is renamed: in the list, where its memories come from, and in what is found.
  await call(page, 'PATCH', `sessions/${sessionId}`, { name: 'Summer in Norway' });
  await expect((await sidebar(page)).getByRole('link', { name: 'Summer in Norway' })).toBeVisible();
  await expect(rows.getByRole('link', { name: 'Summer in Norway' }).first()).toBeVisible();
  await expect(palette.getByRole('option', { name: /Summer in Norway/u }).first()).toBeVisible();

  // An agent is renamed: in the library, in the header, and in its memories.
  await call(page, 'PUT', 'agents/field-notes', { name: 'Travel Notes' });
  await expect(library.getByRole('article', { name: 'Travel Notes' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Session with: Travel Notes' })).toBeVisible();
  await expect(rows.getByText('to Travel Notes').first()).toBeVisible();

  // A deleted session takes its memories along, at once and again when it comes back.
  await call(page, 'DELETE', `sessions/${sessionId}`);
  await expect(memory.getByText(/Nothing is remembered yet|No memories/u)).toBeVisible();
  await call(page, 'POST', `sessions/${sessionId}/restore`);
  await expect(rows.first()).toBeVisible();

  // A deleted agent: gone from the library, with its memories.
  await page.getByRole('button', { name: 'Edit message' }).click();
  await call(page, 'DELETE', 'agents/field-notes');
  await expect(page.getByRole('article').getByText('The agent of this session was deleted.')).toBeVisible();
  await expect(library.getByText('You have no agents yet.')).toBeVisible();
  await expect(memory.getByText(/Nothing is remembered yet|No memories/u)).toBeVisible();
  await context.close();
});
