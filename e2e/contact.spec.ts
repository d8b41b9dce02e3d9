import { startFakeSmtp } from '../server/src/testing/fake-smtp.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { startServer } from './server.ts';
import { sidebar, signUp } from './workshop.ts';

// A server takes few messages from one address, and the journeys of all workers come from one.
test.use({ baseURL: async ({ provided }, use) => use(provided.server.url) });

const SENT = 'Message sent successfully!';
const FAILED = 'Failed to send message. Please try again.';

test('a visitor writes; what is missing is said, and the notice leaves by itself', async ({
  page,
  provided: { server },
}) => {
  await page.clock.install({ time: 0 });
  await page.goto('/contact');
  await expect(page.getByText('within 24 hours')).toBeVisible();
  const message = page.getByLabel('Message', { exact: true });
  const button = page.getByRole('button', { name: 'Send Message' });
  await expect(message).toHaveJSProperty('required', true);
  await button.click();
  await expect(message).toHaveAccessibleDescription('Message is required.');
  await expect(message).toBeFocused();
  await message.fill('  I found a saw.  ');
  await page.getByLabel('Your email address').fill('visitor');
  await button.click();
  await expect(page.getByLabel('Your email address')).toHaveAccessibleDescription('This is not an email address.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const email = `visitor-${test.info().project.name}@example.com`;
  await page.getByLabel('Your email address').fill(email);

  // From here on, time moves only when the journey moves it.
  await page.clock.pauseAt(3_600_000);
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('/api/contact', async (route) => {
    await held;
    await route.continue();
  });
  await button.click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toHaveAttribute('aria-busy', 'true');
  await message.fill('  I found a saw.  And a file.');
  answer();
  await expect(page.getByRole('status')).toHaveText(SENT);
  await expect(message).toHaveValue('And a file.');
  await page.clock.runFor(3_900);
  await expect(page.getByRole('status')).toHaveText(SENT);
  await page.clock.runFor(100);
  await expect(page.getByRole('status')).toBeEmpty();
  const inbox = await server.admin('inbox');
  expect(inbox).toContain(email);
  expect(inbox).toContain('    I found a saw.\n');
});

test('a failure is said, nothing typed is lost, and the second try sends it once', async ({
  page,
  provided: { server },
  complaints,
}) => {
  complaints.expectConsole(/ERR_FAILED/u);
  const person = await signUp(page);
  await (await sidebar(page)).getByRole('link', { name: 'Contact' }).click();
  await expect(page.getByLabel('Your email address')).toHaveValue(person.email);
  await page.getByLabel('Message', { exact: true }).fill('The glue is gone.');
  // The message arrives, but its answer is lost.
  await page.route(
    '/api/contact',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('status').filter({ hasText: FAILED })).toBeVisible();
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('The glue is gone.');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('status').filter({ hasText: SENT })).toBeVisible();
  const inbox = await server.admin('inbox');
  expect(inbox.split(`${person.email} (signed in)`)).toHaveLength(2);
  // The form still works after visiting the application.
  await page.getByRole('link', { name: 'Back to the runtime' }).click();
  await (await sidebar(page)).getByRole('link', { name: 'Contact' }).click();
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled();
});

test('@desk killed while it sends: what waited is sent once, what was under way again, under its id and marked', {
  tag: '@night',
}, async ({ request }) => {
  const smtp = await startFakeSmtp();
  smtp.behave('hold');
  const server = await startServer({ SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' });
  const send = (message: string) =>
    request.post(`${server.url}/api/contact`, { data: { message, email: 'ada@example.com' } });
  try {
    await send('Under way');
    await expect.poll(() => smtp.mails.length).toBe(1);
    // One message is sent at a time, so this one waits behind the other.
    expect((await send('Waiting')).status()).toBe(201);
    await server.kill();
    smtp.behave('accept');
    await server.restart();
    await expect.poll(async () => (await server.admin('inbox')).match(/ {2}sent by smtp/gu)).toHaveLength(2);
    const [waiting, underWay] = (await server.admin('inbox')).split('\n\n');
    expect(waiting).toContain('Waiting');
    expect(waiting).not.toContain('may have been sent twice');
    expect(underWay).toContain('may have been sent twice');
    const texts = smtp.mails.map(({ raw }) => raw.match(/^(?:Under way|Waiting)/mu)?.[0]);
    expect(texts.toSorted()).toEqual(['Under way', 'Under way', 'Waiting']);
    expect(new Set(smtp.mails.map((mail) => mail.header('message-id'))).size).toBe(2);
  } finally {
    await server.stop();
    await smtp.close();
  }
});

test('after five messages the page says how long to wait, and keeps what was typed', { tag: '@night' }, async ({
  browser,
  complaints,
}) => {
  complaints.expectConsole(/status of 429/u);
  const server = await startServer();
  const page = await browser.newPage({ baseURL: server.url });
  await page.goto('/contact');
  const message = page.getByLabel('Message', { exact: true });
  await page.getByLabel('Your email address').fill('visitor@example.com');
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await message.fill(`Message ${number}`);
    await page.getByRole('button', { name: 'Send Message' }).click();
    if (number <= 5) await expect(message).toHaveValue('');
  }
  await expect(page.getByRole('status')).toHaveText(/^You have sent several messages. Please wait \d+ minutes before/u);
  await expect(message).toHaveValue('Message 6');
  await page.close();
  await server.stop();
});
