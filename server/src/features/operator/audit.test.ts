import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { cookieOf, emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { user } from '../accounts/accounts.table.ts';
import { audit } from './audit.service.ts';
import { runAdminCommand } from './operator.service.ts';

let operator: TestUser;
let person: TestUser;
const app = await emptyApp({ env: { OPERATORS: 'Boss@example.com', TRUSTED_PROXIES: '10.0.0.1' } });
beforeEach(async () => {
  operator = await signUpAs('boss@example.com');
  person = await app.signUpByRequest('Grace');
});

async function signUpAs(email: string): Promise<TestUser> {
  const body = { name: 'Boss', email, password: PASSWORD };
  const answer = await app.request('POST', '/api/auth/sign-up/email', { body });
  return { uid: answer.body.user.id, email, cookie: cookieOf(answer.headers) };
}
/** The id of a new account that waits for the operator. */
async function waiting(email: string): Promise<string> {
  await app.request('POST', '/api/auth/sign-up/email', { body: { name: 'New', email, password: PASSWORD } });
  const [row] = await app.deps.db.select({ id: user.id }).from(user).where(eq(user.email, email));
  return row?.id ?? '';
}
const admin = (...args: string[]) => runAdminCommand(app.deps, args);
const read = (as: TestUser | undefined = operator, query = '') =>
  app.request('GET', `/api/admin/audit${query}`, { as });
type Entry = {
  what: string;
  about: string | null;
  reason: string;
  subject: { id: string; email: string | null } | null;
};
const entries = async (query = '?kind=act'): Promise<Entry[]> => (await read(operator, query)).body.entries;

describe('an operator', () => {
  test('is who OPERATORS names, once the email is confirmed, which no mail has to do', async () => {
    expect((await read()).status).toBe(404);
    expect(await admin('confirm-email', 'boss@example.com')).toEqual({
      ok: true,
      message: 'The email boss@example.com is confirmed.',
    });
    expect((await read()).status).toBe(200);
    expect((await app.request('GET', '/api/me', { as: operator })).body.operator).toBe(true);
    expect((await admin('confirm-email', 'boss@example.com')).message).toBe(
      'The email boss@example.com is confirmed already.',
    );
    expect((await entries()).map(({ what }) => what)).toEqual(['email_confirmed_by_operator']);
  });

  test('is nobody else: for them nothing is there', async () => {
    await admin('confirm-email', person.email);
    const nothing = { error: { code: 'not_found', message: 'There is nothing at this address.' } };
    for (const as of [person, undefined]) {
      for (const path of [
        '/api/admin/audit',
        '/api/admin/audit?limit=x',
        '/api/admin/audit/export',
        '/api/admin/none',
      ]) {
        const { status, body } = await app.request('GET', path, { as });
        expect([status, body]).toEqual([404, nothing]);
      }
    }
  });
});

describe('the audit log', () => {
  beforeEach(async () => {
    await admin('confirm-email', 'boss@example.com');
  });

  test('has what the command line does, with its reason, and security events in the same list', async () => {
    await admin('grant-pro', person.email, '--reason', 'a friend');
    await admin('grant-pro', person.email, '--reason', 'again');
    await admin('disable', person.email, '--reason', 'spam');
    await admin('enable', person.email);
    await admin('reset-link', person.email);
    await admin('remove-factor', person.email, '--reason', 'lost');
    expect((await entries()).map(({ what, reason, subject }) => [what, reason, subject?.email])).toEqual([
      ['reset_link_issued', '', person.email],
      ['account_enabled', '', person.email],
      ['account_disabled', 'spam', person.email],
      ['pro_granted', 'a friend', person.email],
      ['email_confirmed_by_operator', '', 'boss@example.com'],
    ]);
    const all = await entries(`?account=${person.uid}`);
    expect(all.map(({ what }) => what).toSorted()).toEqual(
      ['account_opened', 'pro_granted', 'account_disabled', 'account_disabled', 'account_enabled', 'account_enabled']
        .concat('reset_link_issued', 'reset_link_made')
        .toSorted(),
    );
    expect((await entries('?kind=security')).map(({ what }) => what)).not.toContain('pro_granted');
  });

  test('has settings, invitations and decisions about new accounts; what changes nothing isn’t in it', async () => {
    await admin('setting', 'member-invitations', '3', '--reason', 'a class');
    await admin('setting', 'member-invitations', 'many');
    await admin('setting', 'member-invitations');
    const made = await admin('invite', '--people', '2');
    const id = /invite-end (?<id>[\w-]+)/u.exec(made.message)?.groups?.id ?? '';
    await admin('invite', '--people', '0');
    await admin('invite-end', id);
    await admin('invite-end', id);
    await admin('setting', 'sign-up', 'approval');
    const [ada, eve] = [await waiting('ada@example.com'), await waiting('eve@example.com')];
    await admin('approve', 'ada@example.com');
    await admin('approve', 'ada@example.com');
    await admin('reject', 'eve@example.com');
    await admin('reject', person.email);
    const grant = [
      'grant-pro',
      '--list',
      `${person.email} nobody@example.com boss@example.com`,
      '--reason',
      'a school',
    ];
    await admin(...grant);
    expect((await admin(...grant)).message).toContain('0 accounts are Pro now; 2 were already.');
    const log = (await entries()).map(({ what, about, subject, reason }) => [what, about ?? subject?.id, reason]);
    expect(log.toReversed()).toEqual([
      ['email_confirmed_by_operator', operator.uid, ''],
      ['setting_changed', 'member-invitations', 'a class'],
      ['invitation_made', id, ''],
      ['invitation_ended', id, ''],
      ['setting_changed', 'sign-up', ''],
      ['account_approved', ada, ''],
      ['account_rejected', eve, ''],
      ['pro_granted', person.uid, 'a school'],
      ['pro_granted', operator.uid, 'a school'],
    ]);
    expect(
      (await entries(`?account=${eve}`)).find(({ what }) => what === 'account_rejected')?.subject?.email,
    ).toBeNull();
  });

  test('comes in pages, each entry once; a strange cursor is refused', async () => {
    for (let i = 0; i < 5; i++) await admin('enable', person.email);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await read(operator, `?limit=3${cursor}`);
      seen.push(...body.entries.map(({ id }: { id: string }) => id));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength((await entries('?limit=200')).length);
    expect((await read(operator, '?cursor=x')).status).toBe(400);
    expect((await read(operator, '?limit=1000')).status).toBe(400);
  });

  test('stays when an account goes, by its id alone', async () => {
    await admin('disable', person.email, '--reason', 'spam');
    await app.deps.db.execute(sql`delete from "user" where id = ${person.uid}`);
    const [last] = await entries();
    expect(last).toMatchObject({ what: 'account_disabled', subject: { id: person.uid, email: null } });
  });

  test('is only added to', async () => {
    for (const statement of [`update audit_log set reason = ''`, 'delete from audit_log']) {
      await expect(app.deps.database.executeSql(statement)).rejects.toThrow('append-only');
    }
  });

  test('has each act at its own moment, however long its transaction waited', async () => {
    await app.deps.db.transaction(async (tx) => {
      await audit(app.deps, tx, { actorId: null, act: 'setting_changed', about: 'first' });
      await tx.execute(sql`select pg_sleep(0.05)`);
      await audit(app.deps, tx, { actorId: null, act: 'setting_changed', about: 'second' });
    });
    const [second, first] = (await read(operator, '?kind=act')).body.entries;
    expect([second.about, first.about]).toEqual(['second', 'first']);
    expect(Date.parse(second.at) - Date.parse(first.at)).toBeGreaterThanOrEqual(50);
  });

  test('is exported as a line for each entry, and the export is in it', async () => {
    await admin('disable', person.email, '--reason', 'spam');
    const { status, body, headers } = await app.request('GET', '/api/admin/audit/export?kind=act', { as: operator });
    expect([status, headers.get('content-disposition')]).toEqual([200, expect.stringContaining('audit-log-')]);
    const lines = String(body).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).what)).toEqual([
      'audit_exported',
      'account_disabled',
      'email_confirmed_by_operator',
    ]);
    expect(JSON.parse(lines[0] ?? '').actor).toEqual({ id: operator.uid, email: 'boss@example.com' });
  });

  test('has open pages of operators fetch again, and nobody else’s', async () => {
    const heard: Record<string, unknown[]> = { [operator.uid]: [], [person.uid]: [] };
    for (const [uid, list] of Object.entries(heard)) {
      app.deps.live.subscribe(uid, ({ data }) => 'topic' in data && data.topic === 'admin' && list.push(data));
    }
    await admin('enable', person.email);
    await expect.poll(() => heard[operator.uid]?.length).toBeGreaterThan(0);
    expect(heard[person.uid]).toEqual([]);
  });
});
