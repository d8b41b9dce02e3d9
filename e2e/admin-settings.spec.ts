import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectFits, expectNoSidewaysScroll, showIn, test } from './journey.ts';
import { startServer } from './server.ts';
import { newPerson, register } from './workshop.ts';

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

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('an operator announces something to everybody, who can close it', async ({ page, browser, complaints }) => {
  const server = await startServer();
  try {
    await register(page, newPerson('Boss'), server.url);
    const grace = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
    await register(grace, newPerson('Grace'), server.url);
    await grace.goto(`${server.url}/runtime`);
    await expect(grace.getByRole('main')).not.toBeEmpty();

    await page.goto(`${server.url}/admin/settings`);
    const form = section(page, 'Announcement');
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
  } finally {
    await page.goto('about:blank');
    await server.stop();
  }
});

test('an operator decides who comes in and what it may cost', async ({ page, browser, complaints }) => {
  const server = await startServer();
  try {
    await register(page, newPerson('Boss'), server.url);
    await page.goto(`${server.url}/admin/settings`);
    const signUp = section(page, 'Sign-up');
    await expect(signUp.getByRole('button', { name: 'Save' })).toBeDisabled();
    await signUp.getByLabel('Who may open an account').selectOption('approval');
    await expect(signUp.getByRole('button', { name: 'Save' })).toBeDisabled();
    await signUp.getByLabel('Reason').fill('a class');
    await page.keyboard.press('Enter');
    await expect(signUp.getByRole('link', { name: 'Accounts that wait for approval' })).toBeVisible();

    const budgets = section(page, 'Budgets');
    await budgets.getByLabel('Tokens of each account a day').fill('12');
    await budgets.getByLabel('Reason').fill('costs');
    complaints.expectConsole(/status of 400/u);
    await budgets.getByRole('button', { name: 'Save' }).click();
    await expect(budgets.getByRole('alert')).toContainText('One answer reserves 64,000 tokens');
    await budgets.getByLabel('Tokens of each account a day').fill('200000');
    await budgets.getByRole('button', { name: 'Save' }).click();
    await expect(budgets.getByLabel('Reason')).toHaveCount(0);
    await expectAccessible(page);

    const invitations = section(page, 'Invitations');
    await expect(invitations.getByText('No invitation is open.')).toBeVisible();
    await invitations.getByRole('button', { name: 'Create an invitation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('People').fill('30');
    await dialog.getByLabel('Reason').fill('a class');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create an invitation' }).click();
    await expect(invitations.getByText('0 of 30 used')).toBeVisible();
    await invitations.getByRole('button', { name: 'End' }).click();
    await dialog.getByLabel('Reason').fill('over');
    await dialog.getByRole('button', { name: 'End' }).click();
    await expect(invitations.getByText('No invitation is open.')).toBeVisible();

    const variables = section(page, 'Environment').getByRole('listitem');
    await expect(variables.filter({ hasText: 'BUDGET_ACCOUNT_DAY_TOKENS' })).toContainText('Changed above');
    await expect(variables.filter({ hasText: 'PORT' }).first()).toContainText('Environment');

    const other = await (await browser.newContext()).newPage();
    for (const name of ['ada', 'bob']) {
      const data = { name, email: `${name}@example.com`, password: 'correct horse battery' };
      await other.request.post(`${server.url}/api/auth/sign-up/email`, { data, headers: { origin: server.url } });
    }
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Accounts that wait for approval: 2' }).click();
    const table = page.getByRole('table', { name: 'People' });
    await expect(table.getByRole('row')).toHaveCount(3);
    await table.getByRole('link', { name: 'ada', exact: true }).click();
    await expect(page.getByText('This new account waits for your approval.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByLabel('Reason').fill('one of us');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText('waits for your approval')).toHaveCount(0);
    await page.goto(`${server.url}/admin/people?show=waiting`);
    await table.getByRole('link', { name: 'bob', exact: true }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await dialog.getByLabel('Reason').fill('nobody knows them');
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await expect(page).toHaveURL(/\/admin\/people$/u);
    await page.getByLabel('Show').selectOption('waiting');
    await expect(page.getByText('Nobody waits for approval.')).toBeVisible();

    await page.getByRole('link', { name: 'Audit log' }).click();
    const log = page.getByRole('list', { name: 'Audit log' });
    await expect(log.getByText('Before: open. Now: approval.')).toBeVisible();
    await expect(log.getByText('Rejected the new account: nobody knows them')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${server.url}/admin/settings`);
    await expect(section(page, 'Environment')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await showIn(page, 'dark');
    await expectAccessible(page);
  } finally {
    await page.goto('about:blank');
    await server.stop();
  }
});
