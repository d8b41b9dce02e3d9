import { COUNT_MAX } from '@atelier/contract/operator/overview';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { temporaryFolder } from '../../testing/lifetimes.ts';
import { serversFile } from '../../testing/mcp/programs.ts';
import { contactMessages } from '../contact/contact.table.ts';
import { operatorToolPins } from '../mcp/mcp.table.ts';
import { readRarely } from './figures.service.ts';
import { countActive, countDue } from './overview.queries.ts';

let operator: TestUser;
const { folder } = temporaryFolder('overview');
const settings = serversFile(folder, { shelf: { command: 'shelf', disabled: true } });
const app = await emptyApp({ env: { ...settings, BACKUP_TIME: '03:30' } });
beforeEach(async () => {
  operator = await app.signUp('Boss');
});

const read = async () => (await app.request('GET', '/api/admin/overview', { as: operator })).body;

test('has what was done today, the parts, storage and the version, and nothing to do at first', async () => {
  const grace = await app.signUpPro('Grace');
  const { agent } = await app.call(grace, 'POST', '/api/agents', { name: 'Notes', prompt: 'Keep notes.' });
  const sessionId = await app.startSession(grace, agent.id);
  for (const inputText of ['One.', 'Two.'])
    await app.call(grace, 'POST', '/api/runAgentTask', { sessionId, agentId: agent.id, inputText });
  await app.deps.db.execute(sql`update tasks set status = 'failed' where input_text = 'Two.'`);
  const overview = await read();
  expect(overview).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/u),
    people: { lastDay: 1, lastMonth: 1 },
    today: { exchanges: 2, errors: 1, costs: [{ currency: 'USD', amount: 0 }] },
    due: { payments: 0, messages: 0, failedJobs: 0, waiting: 0, reportedAgents: 0, changedTools: [] },
    lastBackupAt: null,
  });
  expect(overview.today.inputTokens).toBeGreaterThan(0);
  expect(overview.storage.database).toBeGreaterThan(0);
  const parts = overview.parts.map(({ name, state }: { name: string; state: string }) => `${name}: ${state}`);
  expect(parts).toEqual(expect.arrayContaining(['database: ok', 'files: ok', 'mail: not set']));
});

test('says what needs a person: payments, messages, failed jobs, new accounts, reports and changed tools', async () => {
  const { db } = app.deps;
  await app.request('POST', '/api/contact', { body: { message: 'Hello', email: 'ada@example.com' } });
  await app.request('POST', '/api/contact', { body: { message: 'Buy', email: 'bot@example.com', website: 'x' } });
  // The other one has left the file, so nobody is offered its tools.
  for (const server of ['shelf', 'gone'])
    await db.insert(operatorToolPins).values({ server, name: 'lookup', changedAt: new Date() });
  await db.execute(sql`insert into payments (reference, user_id, provider, mode, state, amount, currency, attention)
    select 'atelier-' || n, ${operator.uid}, 'paystack', 'live', case n when 1 then 'refund_due' else 'paid' end, 27500, 'ZAR', n < 4
    from generate_series(1, 4) n`);
  await db.execute(sql`insert into payment_events (user_id, id, reference, entry, source)
    select ${operator.uid}, gen_random_uuid(), 'atelier-' || n, entry, 'webhook'
    from (values (2, 'charge.dispute.create'), (3, 'charge.dispute.create'), (3, 'charge.dispute.resolve')) as e(n, entry)`);
  await db.execute(
    sql`insert into pgboss.job_common (name, state, completed_on) values ('contact.sweep', 'failed', now())`,
  );
  const [grace, ada] = [await app.signUpPro('Grace'), await app.signUp('Ada')];
  for (const name of ['Planner', 'Notes', 'Hidden']) {
    await app.call(grace, 'POST', '/api/agents', { name, prompt: 'p', isPublic: true });
    if (name === 'Notes') continue;
    for (const as of [ada, operator])
      await app.call(as, 'POST', `/api/explore/${grace.uid}/${name.toLowerCase()}/report`, { kind: 'spam' });
  }
  await app.call(grace, 'PUT', '/api/agents/hidden', { isPublic: false });
  await db.execute(sql`update "user" set waiting_for = 'approval' where id = ${ada.uid}`);
  expect((await read()).due).toEqual({
    payments: 2,
    messages: 1,
    failedJobs: 1,
    waiting: 1,
    reportedAgents: 1,
    changedTools: [{ server: 'shelf', tools: 1 }],
  });
});

test('counts no further than it says', async () => {
  await app.deps.db.execute(sql`
    insert into ${contactMessages} (id, email, message, fingerprint, state)
    select gen_random_uuid(), 'a@example.com', 'm', n::text, 'sent' from generate_series(1, ${COUNT_MAX + 5}) n`);
  expect((await countDue(app.deps.db)).messages).toBe(COUNT_MAX + 1);
  expect(await countActive(app.deps.db)).toEqual({ lastDay: 0, lastMonth: 0 });
});

test('what takes long is read once in its time, and again where it failed', async () => {
  let reads = 0;
  const read = readRarely(60_000, async () => {
    reads += 1;
    if (reads === 1) throw new Error('away');
    return reads;
  });
  await expect(read()).rejects.toThrow('away');
  expect(await Promise.all([read(), read(), read()])).toEqual([2, 2, 2]);
});
