import { type ServerSettings, serverSettings } from '@atelier/contract/operator/settings';
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { budgetRefusal, findBudgets } from './budgets.service.ts';

const script = scriptedModels();
let ada: TestUser;
const env = { ACCOUNT_BOUNDS: '1', RUNS_AT_ONCE: '1', AGENTS_MAX: '2', STORAGE_MB: '1', UPLOAD_MB: '1' };
const app = await emptyApp({ models: script.models, env });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});

const createAgent = (name: string) => app.request('POST', '/api/agents', { as: ada, body: { name, prompt: 'p' } });

it('an account has no more agents than the operator allows, however many are made at once', async () => {
  const answers = await Promise.all(['One', 'Two', 'Three', 'Four'].map(createAgent));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 402, 402]);
  expect(answers.find(({ status }) => status === 402)?.body.error.message).toBe(
    'You have 2 agents, the most that this server allows. Delete one first.',
  );
  const [agent] = (await app.request('GET', '/api/agents', { as: ada })).body.agents;
  await app.request('DELETE', `/api/agents/${agent.id}`, { as: ada });
  expect((await createAgent('Five')).status).toBe(201);
});

it('an account writes no more answers at once, and files are no larger', async () => {
  await createAgent('Field Notes');
  const sessions = [await app.startSession(ada, 'field-notes'), await app.startSession(ada, 'field-notes')];
  const body = { agentId: 'field-notes', inputText: 'Hello' };
  const [first, second] = [
    await app.request('POST', `/api/sessions/${sessions[0]}/tasks`, { as: ada, body }),
    await app.request('POST', `/api/sessions/${sessions[1]}/tasks`, { as: ada, body }),
  ];
  expect([first.status, second.status]).toEqual([202, 429]);
  (await script.next()).say('Hi').end();
});

const budgetsWith = (env: Record<string, string>, here: Partial<ServerSettings> = {}) =>
  findBudgets({ config: readConfig(env), settings: { now: async () => ({ ...serverSettings.parse({}), ...here }) } });

it('reads budgets in one place, and none where none is set', async () => {
  const set = {
    BUDGET_ACCOUNT_DAY_COST: '0.5',
    BUDGET_SERVER_MONTH_TOKENS: '1000000',
    MODEL_PRICES: 'a=b=1/2, c/d=0/0',
  };
  expect(await budgetsWith({})).toEqual([]);
  expect(await budgetsWith(set)).toEqual([
    { scope: 'server', period: 'month', unit: 'tokens', most: 1_000_000 },
    { scope: 'account', period: 'day', unit: 'cost', most: 0.5 },
  ]);
  expect(readConfig(set).MODEL_PRICES).toEqual({ 'a=b': { input: 1, output: 2 }, 'c/d': { input: 0, output: 0 } });
});

it('counts a budget of the page before that of the environment, and none there as none', async () => {
  const set = { BUDGET_ACCOUNT_DAY_TOKENS: '100000', BUDGET_SERVER_DAY_COST: '5' };
  const here = { 'budget-account-day-tokens': 70_000, 'budget-server-day-cost': null };
  expect(await budgetsWith(set, here)).toEqual([{ scope: 'account', period: 'day', unit: 'tokens', most: 70_000 }]);
});

it('lets one answer begin where a stored budget is below what it reserves since', async () => {
  const env = { BUDGET_RUN_TOKENS: '90000', BUDGET_ACCOUNT_MONTH_COST: '0.1' };
  const here = {
    'budget-account-day-tokens': 12,
    'budget-server-month-tokens': 90_001,
    'budget-server-day-cost': 0.01,
  };
  expect((await budgetsWith(env, here)).map(({ scope, period, unit, most }) => [scope, period, unit, most])).toEqual([
    ['account', 'month', 'cost', 0.1],
    ['server', 'month', 'tokens', 90_001],
    ['account', 'day', 'tokens', 90_000],
    ['server', 'day', 'cost', 0.01],
  ]);
});

it.each([
  [{ MODEL_PRICES: 'gpt-4' }, 'MODEL_PRICES'],
  [{ MODEL_PRICES: 'gpt-4=1' }, 'MODEL_PRICES'],
  [{ MODEL_PRICES: 'gpt-4=-1/2' }, 'MODEL_PRICES'],
  [{ BUDGET_ACCOUNT_DAY_TOKENS: '5000' }, 'BUDGET_ACCOUNT_DAY_TOKENS'],
  [{ BUDGET_SERVER_DAY_COST: '0' }, 'BUDGET_SERVER_DAY_COST'],
])('refuses %j', (env, variable) => {
  expect(() => readConfig(env)).toThrow(variable);
});

it('says when a budget opens again, in the last second of a year too', () => {
  const budget = { scope: 'server', period: 'month', unit: 'cost', most: 12.5, need: 1, currency: 'EUR' } as const;
  const refusal = budgetRefusal(budget, 'budget_used', new Date('2026-12-31T23:59:59.500Z'));
  expect([refusal.status, refusal.retryAfterSeconds, refusal.message]).toEqual([
    429,
    1,
    'This server’s budget of 12.5 EUR a month has no room for another answer. It opens again on 2027-01-01 at 00:00 UTC.',
  ]);
});
