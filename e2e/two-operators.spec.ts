import type { Page } from '@playwright/test';
import { startFakeSmtp } from '../server/src/testing/fake-smtp.ts';
import { expect, expectAccessible, expectFineOnPhone, test } from './journey.ts';
import { startServer } from './server.ts';
import { newPerson, register } from './workshop.ts';

/** The page doesn't look again by itself: what it shows, somebody has sent. */
const lookOnlyWhenTold = (page: Page) =>
  page.addInitScript(`{
    const begin = window.setInterval;
    window.setInterval = (act, ms, ...more) => (ms >= 10_000 ? 0 : begin(act, ms, ...more));
  }`);

const section = (page: Page, name: string) => page.getByRole('region', { name });
const save = (page: Page, name: string) => section(page, name).getByRole('button', { name: 'Save' });

test('two operators see what each other changes, and undo none of it unseen', async ({ page, browser, complaints }) => {
  const [boss, grace] = [newPerson('Boss'), newPerson('Grace')];
  const smtp = await startFakeSmtp();
  const mail = { SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' };
  const server = await startServer({ ...mail, OPERATORS: `${boss.email},${grace.email}` });
  const theirs = await (await browser.newContext()).newPage();
  try {
    for (const [one, person] of [[page, boss] as const, [theirs, grace] as const]) {
      await register(one, person, server.url);
      await server.admin('confirm-email', person.email);
      await lookOnlyWhenTold(one);
    }

    await test.step('jobs', async () => {
      const headers = { origin: server.url };
      const send = async (method: string, path: string, data: object = {}) =>
        (await page.request.fetch(`${server.url}/api/${path}`, { method, headers, data })).status();
      const list = async (path: string) => (await page.request.get(`${server.url}/api/admin/${path}`)).json();
      expect(await send('POST', 'contact', { message: 'Where is my kiln?', email: 'ada@example.com' })).toBe(201);
      // To confirm two emails, and the message.
      await expect.poll(() => smtp.mails.length).toBe(3);
      smtp.behave('later');
      const { messages } = await list('inbox');
      expect(await send('POST', `admin/inbox/${messages[0].id}/reply`, { text: 'In Faro.' })).toBe(204);
      // While it is tried again it doesn't wait.
      const waits = async () => (await list('jobs?state=waiting')).jobs[0]?.id as string | undefined;
      const jobs = theirs.getByRole('list', { name: 'Jobs' }).getByRole('listitem');
      const settled = theirs.getByText('No job waits.').or(jobs).first();
      await expect
        .poll(async () => {
          await theirs.goto(`${server.url}/admin/jobs?state=waiting`);
          await expect(settled).toBeVisible();
          return jobs.count();
        })
        .toBe(1);
      await expect.poll(async () => send('DELETE', `admin/jobs/accounts.mail/${await waits()}`)).toBe(204);
      await expect(theirs.getByText('No job waits.')).toBeVisible();
    });

    for (const one of [page, theirs]) await one.goto(`${server.url}/admin/settings`);
    const domains = (of: Page) => section(of, 'Sign-up').getByLabel('Domains of emails', { exact: true });
    const changed = section(page, 'Sign-up').getByRole('alert');
    const setDomains = async (by: Page, text: string) => {
      await domains(by).fill(text);
      await section(by, 'Sign-up').getByLabel('Reason').fill('a class');
      await save(by, 'Sign-up').click();
    };

    await test.step('settings', async () => {
      await setDomains(theirs, 'one.example');
      await expect(domains(page)).toHaveValue('one.example');
      await domains(page).fill('one.example, mine.example');
      await section(page, 'Sign-up').getByLabel('Reason').fill('mine');
      await setDomains(theirs, 'one.example, theirs.example');
      await expect(changed).toContainText('Domains of emails: one.example, theirs.example');
      await expect(domains(page)).toHaveValue('one.example, mine.example');
      await expect(save(page, 'Sign-up')).toBeDisabled();
      await expectAccessible(page);
      await expectFineOnPhone(page);
      await domains(page).fill('one.example, theirs.example, mine.example');
      const keep = changed.getByRole('button', { name: 'Keep what I typed' });
      await keep.focus();
      await page.keyboard.press('Enter');
      await expect(changed).toHaveCount(0);
      await save(page, 'Sign-up').click();
      await expect(domains(theirs)).toHaveValue('one.example, theirs.example, mine.example');
    });

    await test.step('a change that has not arrived yet', async () => {
      const text = (of: Page) => section(of, 'Announcement').getByLabel('Text');
      let arrive = () => {};
      const arrival = new Promise<void>((done) => {
        arrive = done;
      });
      await page.route('**/api/admin/settings', async (route) => {
        if (route.request().method() === 'GET') await arrival;
        await route.continue().catch(() => {});
      });
      await text(theirs).fill('Closed on Friday.');
      await save(theirs, 'Announcement').click();
      await expect(section(theirs, 'Announcement').getByText('Nobody sees it until you choose')).toBeVisible();
      complaints.expectConsole(/status of 409/u);
      await text(page).fill('Closed on Monday.');
      await save(page, 'Announcement').click();
      const refused = section(page, 'Announcement').getByRole('alert');
      await expect(refused).toHaveText('This setting has changed in the meantime. Please take another look.');
      await expect(text(page)).toHaveValue('Closed on Monday.');
      arrive();
      await expect(refused.filter({ hasText: 'Text: Closed on Friday.' })).toBeVisible();
      await expectAccessible(page);
      await refused.getByRole('button', { name: 'Use the other version' }).click();
      await expect(text(page)).toHaveValue('Closed on Friday.');
      await expect(refused).toHaveCount(0);
      await text(page).fill('Closed on Friday and Monday.');
      await save(page, 'Announcement').click();
      await expect(text(theirs)).toHaveValue('Closed on Friday and Monday.');
    });
  } finally {
    // The pages ask again and again.
    for (const one of [page, theirs]) await one.goto('about:blank');
    await server.stop();
    await smtp.close();
  }
});
