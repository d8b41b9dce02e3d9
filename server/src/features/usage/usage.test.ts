import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type UsageRow, usageAnswer } from '@atelier/contract/usage';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { temporaryFolder } from '../../testing/lifetimes.ts';
import { agents } from '../agents/agents.table.ts';
import { tokenLedger } from '../ledger/ledger.table.ts';
import { purgeSession } from '../removal/delete-session.service.ts';
import { countTokens } from './usage.queries.ts';
import { dayStarts } from './usage.service.ts';

let ada: TestUser;
let sessionId: string;
let agentId: string;
const QUARTER_MS = 900_000;
const { folder } = temporaryFolder('prices');
const file = join(folder, 'models.json');
writeFileSync(
  file,
  JSON.stringify({
    providers: {},
    currency: 'EUR',
    prices: { 'gpt-4': { input: 30, output: 60 }, odd: { input: -1 } },
  }),
);

const app = await emptyApp({ env: { MODELS_FILE: file } });
beforeEach(async () => {
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  sessionId = await app.startSession(ada, 'field-notes');
  const [agent] = await app.deps.db.select().from(agents).where(eq(agents.userId, ada.uid));
  agentId = agent?.id ?? '';
});

const usage = (query: string, as: TestUser | undefined = ada) => app.request('GET', `/api/usage?${query}`, { as });
const NOVEMBER = 'from=2026-11-01&to=2026-11-30';
const rowsOf = async (query: string): Promise<UsageRow[]> => usageAnswer.parse((await usage(query)).body).rows;

async function answered(at: string, model: string, inputTokens: number, outputTokens: number, isEstimated = false) {
  const quarter = new Date(Math.floor(Date.parse(at) / QUARTER_MS) * QUARTER_MS);
  const what = { userId: ada.uid, at: quarter, purpose: 'answer' as const, model, agentId, currency: '' };
  const took = { calls: 1, inputTokens, outputTokens, estimated: isEstimated ? 1 : 0, cost: '0' };
  const { calls, estimated } = tokenLedger;
  await app.deps.db
    .insert(tokenLedger)
    .values({ ...what, ...took })
    .onConflictDoUpdate({
      target: [
        tokenLedger.userId,
        tokenLedger.at,
        tokenLedger.purpose,
        tokenLedger.model,
        tokenLedger.agentId,
        tokenLedger.currency,
      ],
      set: {
        calls: sql`${calls} + 1`,
        inputTokens: sql`${tokenLedger.inputTokens} + ${inputTokens}`,
        outputTokens: sql`${tokenLedger.outputTokens} + ${outputTokens}`,
        estimated: sql`${estimated} + ${took.estimated}`,
      },
    });
}

it('adds up tokens by day, agent and model, and money where the price is known', async () => {
  await answered('2026-11-02T10:00:00Z', 'gpt-4', 1_000, 500);
  await answered('2026-11-02T11:00:00Z', 'gpt-4', 2_000, 500, true);
  await answered('2026-11-02T11:00:00Z', 'mystery', 10, 20);
  await answered('2026-11-03T11:00:00Z', 'offline', 7, 8, true);
  await answered('2026-10-31T23:59:59Z', 'gpt-4', 9, 9);
  const { body } = await usage(NOVEMBER);
  expect(body).toMatchObject({ from: '2026-11-01', to: '2026-11-30', timeZone: 'UTC', currency: 'EUR' });
  const agent = { agentId: 'field-notes', agentName: 'Field Notes', agentDeleted: false };
  expect(body.rows).toEqual([
    {
      ...agent,
      day: '2026-11-02',
      model: 'gpt-4',
      purpose: 'answer',
      answers: 2,
      calls: 2,
      inputTokens: 3_000,
      outputTokens: 1_000,
      estimated: 1,
      cost: 0.15,
    },
    {
      ...agent,
      day: '2026-11-02',
      model: 'mystery',
      purpose: 'answer',
      answers: 1,
      calls: 1,
      inputTokens: 10,
      outputTokens: 20,
      estimated: 0,
      cost: null,
    },
    {
      ...agent,
      day: '2026-11-03',
      model: 'offline',
      purpose: 'answer',
      answers: 1,
      calls: 1,
      inputTokens: 7,
      outputTokens: 8,
      estimated: 1,
      cost: 0,
    },
  ]);
});

it('counts what an agent really answered, for nobody else, and knows deleted agents', async () => {
  const body = { sessionId, agentId: 'field-notes', inputText: 'Hello' };
  const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body;
  const today = task.timestamp.slice(0, 10);
  const query = `from=${today}&to=${today}`;
  expect(await rowsOf(query)).toMatchObject([{ day: today, model: 'offline', answers: 1, estimated: 1, cost: 0 }]);
  expect((await usage(query, await app.signUp('Bob'))).body.rows).toEqual([]);
  await app.request('DELETE', '/api/agents/field-notes', { as: ada });
  expect(await rowsOf(query)).toMatchObject([{ agentName: 'Field Notes', agentDeleted: true }]);
});

it('keeps what was deleted since, without a word of it', async () => {
  const body = { sessionId, agentId: 'field-notes', inputText: 'A quince in the kiln' };
  const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body;
  const query = `from=${task.timestamp.slice(0, 10)}&to=${task.timestamp.slice(0, 10)}`;
  const before = await rowsOf(query);
  expect(before).toMatchObject([{ answers: 1, inputTokens: task.usage.inputTokens }]);
  expect((await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada })).status).toBe(204);
  await purgeSession(app.deps, { userId: ada.uid, sessionId });
  expect(await rowsOf(query)).toEqual(before);
  const { rows } = await app.deps.database.executeSql('select to_jsonb(l)::text as line from token_ledger l', []);
  expect(JSON.stringify(rows)).not.toMatch(/quince|kiln|Field/u);
});

it('begins days at the person’s own midnight', async () => {
  await answered('2026-11-02T23:30:00Z', 'gpt-4', 1, 1);
  const dayIn = async (timeZone: string) =>
    (await rowsOf(`${NOVEMBER}&timeZone=${encodeURIComponent(timeZone)}`)).map(({ day }) => day);
  expect(await dayIn('UTC')).toEqual(['2026-11-02']);
  expect(await dayIn('Europe/Berlin')).toEqual(['2026-11-03']);
  expect(await dayIn('Pacific/Kiritimati')).toEqual(['2026-11-03']);
  expect(await dayIn('America/Los_Angeles')).toEqual(['2026-11-02']);
});

it('answers 400 for days and places that don’t exist', async () => {
  for (const query of [
    '',
    'from=2026-11-01',
    'from=2026-11-31&to=2026-12-01',
    'from=2026-11-02&to=2026-11-01',
    'from=2020-01-01&to=2026-01-01',
    'from=x&to=y',
    'from=%00&to=2026-11-01',
    `${NOVEMBER}&timeZone=Mars/Olympus`,
    `${NOVEMBER}&timeZone=`,
    `${NOVEMBER}&timeZone=${'x'.repeat(200)}`,
  ]) {
    expect([query, (await usage(query)).status]).toEqual([query, 400]);
  }
  for (const query of ['from=0001-01-01&to=0001-01-02', 'from=9999-12-30&to=9999-12-31']) {
    expect([query, (await usage(query)).status]).toEqual([query, 400]);
  }
  for (const query of ['from=2000-01-01&to=2000-12-31', 'from=2999-01-01&to=2999-12-31']) {
    expect([query, (await usage(query)).status]).toEqual([query, 200]);
  }
});

it('reads one person’s days by an index', async () => {
  let plan = '';
  const look = app.deps.db.transaction(async (tx) => {
    // With a handful of rows any plan is as good; without the other ways, the planner shows whether this index can serve.
    for (const way of ['seqscan', 'bitmapscan']) await tx.execute(sql.raw(`set local enable_${way} = off`));
    await tx.execute(sql`drop index token_ledger_time`);
    const query = countTokens(tx, ada.uid, dayStarts('2026-11-01', '2026-11-30', 'UTC'), 10).getSQL();
    plan = JSON.stringify(await tx.execute(sql`explain ${query}`));
    tx.rollback();
  });
  await expect(look).rejects.toThrow();
  expect(plan).toContain('token_ledger_user_id');
});

const starts = (from: string, to: string, zone: string) => dayStarts(from, to, zone).map((at) => at.toISOString());

it('begins days at midnight of the place, also where clocks change', () => {
  expect(starts('2026-11-23', '2026-11-23', 'UTC')).toEqual(['2026-11-23T00:00:00.000Z', '2026-11-24T00:00:00.000Z']);
  expect(starts('2026-11-23', '2026-11-23', 'Asia/Kathmandu')).toEqual([
    '2026-11-22T18:15:00.000Z',
    '2026-11-23T18:15:00.000Z',
  ]);
  // 23 and 25 hours.
  expect(starts('2026-03-29', '2026-03-29', 'Europe/Berlin')).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  expect(starts('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});

it('begins a day whose midnight does not exist with its first instant, and one with two with the first', () => {
  // Clocks in São Paulo went from 00:00 to 01:00, and back from 24:00 to 23:00.
  expect(starts('2018-11-04', '2018-11-04', 'America/Sao_Paulo')[0]).toBe('2018-11-04T03:00:00.000Z');
  expect(starts('2018-02-18', '2018-02-18', 'America/Sao_Paulo')[0]).toBe('2018-02-18T03:00:00.000Z');
  // Cuba goes from 01:00 back to 00:00.
  expect(starts('2026-11-01', '2026-11-01', 'America/Havana')[0]).toBe('2026-11-01T04:00:00.000Z');
});

it('keeps its order where a whole day was skipped', () => {
  const samoa = starts('2011-12-28', '2012-01-02', 'Pacific/Apia');
  expect(samoa).toEqual(samoa.toSorted());
});
