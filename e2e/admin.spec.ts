import type { Browser, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, showIn, test } from './journey.ts';
import { type Server, startServer } from './server.ts';
import { enterAsOperator, newPerson, openAccountMenu, type Person, post, register } from './workshop.ts';

let server: Server;
// One worker for the whole file, so that this server starts once; nobody can sign up there any more after the last journey.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(() => server.stop());

/** Somebody else at a browser of their own. */
async function another(browser: Browser, name: string): Promise<{ page: Page; person: Person }> {
  const page = await (await browser.newContext()).newPage();
  const person = await register(page, newPerson(name), server.url);
  return { page, person };
}

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('an operator finds somebody, acts, and reads what was written down; nobody else finds the page', async ({
  page,
  browser,
  complaints,
}) => {
  await enterAsOperator(page, server.url);
  const grace = await another(browser, 'Grace Hopper');

  await grace.page.goto(`${server.url}/admin`);
  await expect(grace.page.getByRole('heading', { name: 'There is no page at this address.' })).toBeVisible();
  await grace.page.goto(`${server.url}/account`);
  await openAccountMenu(grace.page);
  await expect(grace.page.getByRole('menuitem', { name: 'Account' })).toBeVisible();
  await expect(grace.page.getByRole('menuitem', { name: 'Admin' })).toHaveCount(0);
  await grace.page.keyboard.press('Escape');

  await page.goto(`${server.url}/account`);
  await openAccountMenu(page);
  await page.getByRole('menuitem', { name: 'Admin' }).click();
  await page.getByRole('link', { name: 'People' }).click();
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
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('This account is disabled: spam')).toBeVisible();
  await expect(grace.page).toHaveURL(/\/(?:login|signup)/u);

  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByLabel('Reason').fill('asked for it');
  await dialog.getByLabel(/to confirm/u).fill('other@example.com');
  complaints.expectConsole(/status of 40[19]/u);
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
});

test('a reported agent is unpublished, its author reads why and publishes no more; nobody is told who reported it', async ({
  page,
  browser,
  complaints,
}) => {
  complaints.expectConsole(/status of 403/u);
  await enterAsOperator(page, server.url);
  const ada = await another(browser, 'Ada Lovelace');
  const grace = await another(browser, 'Grace Hopper');
  const publish = (author: Page, name: string) =>
    post(author, 'agents', { name, prompt: 'Buy my kilns.', isPublic: true }, server.url);
  for (const { person } of [ada, grace]) await server.admin('grant-pro', person.email, '--reason', 'a journey');
  await publish(grace.page, 'Field Notes');
  await publish(ada.page, 'F1eld-N0tes');

  await grace.page.goto(`${server.url}/explore`);
  const card = grace.page.getByRole('article', { name: 'F1eld-N0tes' });
  await expect(card).toContainText('Not by the author of the earlier “Field Notes”');
  await expect(
    grace.page.getByRole('article', { name: 'Field Notes', exact: true }).getByRole('button', { name: /More for/u }),
  ).toHaveCount(0);
  await card.getByRole('button', { name: 'More for F1eld-N0tes' }).click();
  await grace.page.getByRole('menuitem', { name: 'Report…' }).click();
  const form = grace.page.getByRole('dialog', { name: /^Report/u });
  await expect(form.getByRole('button', { name: 'Send report' })).toBeDisabled();
  await form.getByLabel('Reason').selectOption('Pretends to be somebody else’s');
  await form.getByLabel(/What should the operator know/u).fill('It takes my name.');
  await expectAccessible(grace.page);
  await expectNoSidewaysScroll(grace.page);
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(grace.page.getByText('Your report was received. Thank you.')).toBeVisible();
  await expect(form).toHaveCount(0);

  await page.goto(`${server.url}/admin/library`);
  const reported = page.getByRole('list', { name: 'Reported agents' });
  await expect(reported.getByText('Pretends to be somebody else’s: It takes my name.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Unpublish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The name is taken.');
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  await expect(page.getByText('No agent is reported.')).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.getByLabel('Search public agents').fill('hopper');
  await expect(page.getByRole('list', { name: 'Public agents' })).toContainText('Field Notes');
  await page.getByLabel('Search public agents').fill('nothing at all');
  await expect(page.getByText('No public agent matches.')).toBeVisible();

  await ada.page.goto(`${server.url}/library`);
  const own = ada.page.getByRole('article', { name: 'F1eld-N0tes' });
  await expect(own).toContainText('Made private by the operator: The name is taken.');
  await server.admin('block-publishing', ada.person.email, '--reason', 'Write to us first.');
  await own.getByRole('button', { name: 'Edit' }).click();
  const edit = ada.page.getByRole('region', { name: /^Edit/u });
  await expect(edit).toContainText('The operator has made this agent private: The name is taken.');
  await expectAccessible(ada.page);
  await edit.getByLabel('Public').check();
  await edit.getByRole('button', { name: 'Save Agent' }).click();
  await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click();
  await expect(edit.getByRole('alert')).toContainText(
    'The operator has blocked publishing for your account: Write to us first.',
  );
  await showIn(page, 'dark');
  await expectAccessible(page);
});

test('an operator decides who comes in and what it may cost', async ({ page, browser, complaints }) => {
  await enterAsOperator(page, server.url);
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
  for (const name of ['ada', 'bob']) await register(other, newPerson(name), server.url);
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
});
