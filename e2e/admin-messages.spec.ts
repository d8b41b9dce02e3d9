import type { Page } from '@playwright/test';
import { type FakeSmtp, startFakeSmtp } from '../server/src/testing/fake-smtp.ts';
import { expect, expectAccessible, expectFits, expectNoSidewaysScroll, showIn, test } from './journey.ts';
import { type Server, startServer } from './server.ts';
import { enterAsOperator, newPerson, register } from './workshop.ts';

let smtp: FakeSmtp;
let server: Server;
// One worker for the whole file, so that this server starts once.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  smtp = await startFakeSmtp();
  server = await startServer({ SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' });
});
test.afterAll(async () => {
  await server.stop();
  await smtp.close();
});

const DAY_MS = 86_400_000;
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
const line = (page: Page) => page.locator('#announcement-line');

/** How far what is on the page has moved since it began to load. */
const shiftOf = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => {
    let moved = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) moved += value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(moved), 300);
  })`);

test('an operator answers a message, has a stuck mail sent, and asks about a payment', async ({ page, browser }) => {
  await enterAsOperator(page, server.url);
  const theirs = await (await browser.newContext()).newPage();
  await register(theirs, newPerson('Grace Hopper'), server.url);
  await theirs.request.post(`${server.url}/api/billing/checkout`, { headers: { origin: server.url } });
  const headers = { origin: server.url };
  const data = { message: 'Where is\nmy kiln?', email: 'ada@example.com' };
  expect((await theirs.request.post(`${server.url}/api/contact`, { data, headers })).status()).toBe(201);
  // To confirm two emails, and the message.
  await expect.poll(() => smtp.mails.length).toBe(3);
  smtp.behave('later');

  await page.goto(`${server.url}/admin`);
  await expect(page.getByRole('list', { name: 'Parts' }).getByText('takes and deletes a file')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Unanswered messages: 1' }).click();
  await page.getByRole('button', { name: 'Reply' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Send reply' })).toBeDisabled();
  await dialog.getByLabel('Reply', { exact: true }).fill('In Faro.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send reply' }).click();
  await expect(page.getByText('No message waits for an answer.')).toBeVisible();
  await page.getByLabel('Show').selectOption('Answered');
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('In Faro.');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Jobs' }).click();
  await expect(page.getByText('No job has failed.')).toBeVisible();
  await page.getByLabel('Show').selectOption('Waiting');
  // Each minute's own jobs may wait beside it.
  const mail = page.getByRole('list', { name: 'Jobs' }).getByRole('listitem').filter({ hasText: 'accounts.mail' });
  await expect(mail).toBeVisible();
  await expectAccessible(page);
  await mail.getByRole('button', { name: 'Run now' }).click();
  // The job tries again by itself too: only what is accepted from here on may be sent by the operator's press.
  smtp.behave('accept');
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await expect.poll(() => smtp.mails.at(-1)?.header('to')).toBe('ada@example.com');

  await page.getByRole('link', { name: 'Payments' }).click();
  const payments = page.getByRole('list', { name: 'Payments' });
  await payments.getByRole('button', { name: 'Ask the provider again' }).click();
  await dialog.getByRole('button', { name: 'Ask the provider again' }).click();
  await expect(page.getByText('The provider has answered.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Show').selectOption('Acts of operators');
  const log = page.getByRole('list', { name: 'Audit log' });
  for (const act of ['Asked the provider about a payment', 'Retried a job', 'Answered a message of the contact page'])
    await expect(log.getByText(act)).toBeVisible();

  await page.setViewportSize({ width: 390, height: 800 });
  for (const section of ['', '/inbox?box=answered', '/payments', '/jobs?state=waiting']) {
    await page.goto(`${server.url}/admin${section}`);
    await expect(page.getByText('Loading')).toHaveCount(0);
    await expectNoSidewaysScroll(page);
    await showIn(page, 'dark');
    await expectAccessible(page);
    await showIn(page, 'light');
  }
});

test('an operator announces something to everybody, who can close it', async ({ page, browser, complaints }) => {
  await enterAsOperator(page, server.url);
  const grace = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  await register(grace, newPerson('Grace'), server.url);
  await grace.goto(`${server.url}/runtime`);
  await expect(grace.getByRole('main')).not.toBeEmpty();

  await page.goto(`${server.url}/admin/settings`);
  const form = page.getByRole('region', { name: 'Announcement' });
  await form.getByLabel('Text').fill('https://a.example https://b.example');
  await expect(form.getByText('An announcement can have one link.')).toBeVisible();
  await form.getByLabel('Text').fill('We restart at six, see https://status.example/today.');
  await form.getByLabel('Last day (UTC)').fill(tomorrow());
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(line(page)).toContainText('We restart at six');

  // In an open page too, where nothing moves.
  await expect(line(grace)).toHaveRole('status');
  await expect(line(grace)).toContainText('We restart at six, see https://status.example/today.');
  expect(await shiftOf(grace)).toBeLessThan(0.01);
  await expect(line(grace).getByRole('link')).toHaveAttribute('href', 'https://status.example/today');

  complaints.expectConsole(/status of 404/u);
  const stranger = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  for (const path of ['/', '/login', '/terms', '/contact', '/shared/nothing', '/nowhere']) {
    await stranger.goto(`${server.url}${path}`);
    await expect(line(stranger)).toBeVisible();
    expect([path, (await shiftOf(stranger)) < 0.01]).toEqual([path, true]);
    await expectNoSidewaysScroll(stranger);
  }
  await showIn(stranger, 'dark');
  await expectAccessible(stranger);
  await grace.goto(`${server.url}/runtime`);
  await expect(line(grace)).not.toHaveAttribute('data-over');
  await expectFits(grace);
  await expectAccessible(grace);

  await stranger.goto(`${server.url}/`);
  await stranger.getByRole('button', { name: 'Close the announcement' }).click();
  await expect(line(stranger)).toBeHidden();
  await stranger.goto(`${server.url}/login`);
  await expect(line(stranger)).toBeHidden();
  await expect(line(grace)).toBeVisible();

  await form.getByLabel('Text').fill('We are back.');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(line(grace)).toContainText('We are back.');
  // Others may hear of it before it is answered here, and while it is being saved nothing else is.
  await expect(form.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy');
  await stranger.reload();
  await expect(line(stranger)).toContainText('We are back.');
  await form.getByLabel('Text').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(line(grace)).toBeHidden();
  await stranger.reload();
  await expect(line(stranger)).toBeEmpty();
});
