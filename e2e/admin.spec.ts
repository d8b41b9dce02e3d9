import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, showIn, test } from './journey.ts';
import { startServer } from './server.ts';
import { newPerson, type Person, register } from './workshop.ts';

/** Somebody else at a browser of their own. */
async function another(browser: Browser, url: string, name: string): Promise<{ page: Page; person: Person }> {
  const page = await (await browser.newContext()).newPage();
  const person = await register(page, newPerson(name), url);
  return { page, person };
}

test('an operator finds somebody, acts, and reads what was written down; nobody else finds the page', async ({
  page,
  browser,
  complaints,
}) => {
  const server = await startServer();
  try {
    await register(page, newPerson('Boss'), server.url);
    const grace = await another(browser, server.url, 'Grace Hopper');

    await grace.page.goto(`${server.url}/admin`);
    await expect(grace.page.getByRole('heading', { name: 'There is no page at this address.' })).toBeVisible();
    await grace.page.goto(`${server.url}/account`);
    await grace.page.getByRole('button', { name: /Logged in as/u }).click();
    await expect(grace.page.getByRole('menuitem', { name: 'Account' })).toBeVisible();
    await expect(grace.page.getByRole('menuitem', { name: 'Admin' })).toHaveCount(0);
    await grace.page.keyboard.press('Escape');

    await page.goto(`${server.url}/account`);
    await page.getByRole('button', { name: /Logged in as/u }).click();
    await page.getByRole('menuitem', { name: 'Admin' }).click();
    const table = page.getByRole('table', { name: 'People' });
    await expect(table.getByRole('row')).toHaveCount(3);
    await expect(page.getByText('The person who runs the server can still read its database.')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Search people').fill('nobody at all');
    await expect(page.getByText('Nobody matches.')).toBeVisible();
    await page.getByLabel('Search people').fill('hopper');
    await expect(table.getByRole('row')).toHaveCount(2);
    await page.getByRole('link', { name: 'Grace Hopper' }).click();
    await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Grant Pro' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Grant Pro' })).toBeDisabled();
    await dialog.getByLabel('Reason').fill('a class');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText('By an operator: a class')).toBeVisible();

    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByLabel('Reason').fill('spam');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(page.getByText('This account is disabled: spam')).toBeVisible();
    await expect(grace.page).toHaveURL(/\/(?:login|signup)/u);

    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByLabel('Reason').fill('asked for it');
    await dialog.getByLabel(/to confirm/u).fill('other@example.com');
    complaints.expectConsole(/status of 409/u);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog.getByRole('alert')).toContainText('This is not the email of the account.');
    await dialog.getByLabel(/to confirm/u).fill(grace.person.email);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(table.getByRole('row')).toHaveCount(2);

    await page.getByRole('link', { name: 'Audit log' }).click();
    const log = page.getByRole('list', { name: 'Audit log' });
    await expect(log.getByText('Deleted the account: asked for it')).toBeVisible();
    await page.getByLabel('Show').selectOption('Acts of operators');
    await expect(log.getByRole('listitem')).toHaveCount(3);
    await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^audit-log-.*\.jsonl$/u);
    await expect(log.getByText('Exported the audit log')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 800 });
    await expectNoSidewaysScroll(page);
    await page.goto(`${server.url}/admin/people`);
    await expect(table).toBeVisible();
    await expectNoSidewaysScroll(page);
    await showIn(page, 'dark');
    await expectAccessible(page);
  } finally {
    await server.stop();
  }
});
