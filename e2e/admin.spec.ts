import type { Browser, Page } from '@playwright/test';
import { startFakeSmtp } from '../server/src/testing/fake-smtp.ts';
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
    // The page asks again and again.
    await page.goto('about:blank');
    await server.stop();
  }
});

test('a reported agent is unpublished, its author reads why and publishes no more; nobody is told who reported it', {
  tag: '@both',
}, async ({ page, browser }) => {
  const server = await startServer();
  try {
    await register(page, newPerson('Boss'), server.url);
    const ada = await another(browser, server.url, 'Ada Lovelace');
    const grace = await another(browser, server.url, 'Grace Hopper');
    const publish = async (author: Page, name: string) => {
      const data = { name, prompt: 'Buy my kilns.', isPublic: true };
      const sent = await author.request.post(`${server.url}/api/agents`, { headers: { origin: server.url }, data });
      expect(sent.status()).toBe(201);
    };
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
  } finally {
    // The page asks again and again.
    await page.goto('about:blank');
    await server.stop();
  }
});

test('an operator answers a message, has a stuck mail sent, and asks about a payment', async ({ page, browser }) => {
  const smtp = await startFakeSmtp();
  const server = await startServer({ SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' });
  try {
    await register(page, newPerson('Boss'), server.url);
    const { page: theirs } = await another(browser, server.url, 'Grace Hopper');
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
    const jobs = page.getByRole('list', { name: 'Jobs' });
    await expect(jobs).toContainText('accounts.mail');
    await expectAccessible(page);
    smtp.behave('accept');
    await jobs.getByRole('button', { name: 'Run now' }).click();
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
  } finally {
    // The page asks again and again.
    await page.goto('about:blank');
    await server.stop();
    await smtp.close();
  }
});
