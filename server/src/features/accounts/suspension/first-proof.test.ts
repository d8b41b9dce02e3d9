import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { mailsTo } from '../../../testing/fake-smtp.ts';
import { cookieOf, ORIGIN, PASSWORD } from '../../../testing/harness.ts';
import {
  app,
  kindsOf,
  leaveWaysIn,
  mailedToken,
  opensInstallation,
  post,
  smtp,
  statusOfKey,
  ways,
} from '../../../testing/left-ways.ts';
import { nextCodeOf } from '../../../testing/ways-in.ts';
import { authSession } from '../accounts.identity.table.ts';
import { accountMails } from '../accounts.mail.table.ts';
import { user } from '../accounts.table.ts';

const CONFIRMED = 'Atelier: your email is confirmed';
const subjectsTo = (email: string) => mailsTo(smtp, email).map(({ subject }) => subject);

await opensInstallation();

test('the first proof of an email spares what its only sign-in has added', async () => {
  const owner = await app.signUpByRequest();
  await leaveWaysIn(owner);
  const confirmed = await post('/verify-email', { token: await mailedToken(owner.email, '/login/confirm#') }, owner);
  expect(confirmed.body).toEqual({ status: true, email: owner.email, changed: false, suspended: 0 });
  expect(kindsOf((await ways(owner)).ways)).toHaveLength(5);
  expect((await ways(owner)).suspended).toEqual([]);
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  expect(subjectsTo(owner.email)).not.toContain(CONFIRMED);
});

test.each([
  { where: 'in another browser', isSignedIn: false },
  { where: 'where another is signed in too', isSignedIn: true },
])('the first proof of an email, $where, suspends what others may have added', async ({ isSignedIn }) => {
  const eve = await app.signUpByRequest();
  const left = await leaveWaysIn(eve);
  if (isSignedIn) {
    const half = cookieOf((await post('/sign-in/email', { email: eve.email, password: PASSWORD })).headers);
    const code = { code: nextCodeOf(left.secret) };
    const whole = await app.request('POST', '/api/auth/two-factor/verify-totp', {
      body: code,
      headers: { cookie: half },
    });
    expect(whole.status).toBe(200);
  }
  const token = await mailedToken(eve.email, '/login/confirm#');
  const confirmed = await post('/verify-email', { token }, isSignedIn ? eve : undefined);
  expect([confirmed.status, confirmed.body.suspended]).toEqual([200, 6]);
  await eventually(() => expect(subjectsTo(eve.email)).toContain(CONFIRMED));
  const mail = mailsTo(smtp, eve.email).find(({ subject }) => subject === CONFIRMED);
  expect(mail?.text.replaceAll(/\s+/gu, ' ')).toContain(
    `6 other ways into it, or links to what is in it, don’t work until you keep them, within 30 days: ${ORIGIN}/account`,
  );
  expect(await app.deps.db.$count(authSession), 'whoever may have added them is signed out').toBe(isSignedIn ? 1 : 0);
  const again = await post('/sign-in/email', { email: eve.email, password: PASSWORD });
  expect((await ways({ ...eve, cookie: cookieOf(again.headers) })).suspended).toHaveLength(6);
  expect(await statusOfKey(left.key)).toBe(401);
  const [row] = await app.deps.db.select().from(user).where(eq(user.id, eve.uid));
  expect(row).toMatchObject({ emailVerified: true, twoFactorEnabled: false });
});
