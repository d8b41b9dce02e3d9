import { budgetsAnswer } from '@atelier/contract/usage';
import { expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { providedApp } from '../../testing/provided-app.ts';
import { bindBudgets, findBudgets } from './budgets.service.ts';

// Of the 1,000 tokens of an answer it writes 250 at most: 750 at 30 USD and 250 at 60 USD a million. There is room for two.
const NEED = 0.0375;
const talk = await providedApp({
  BUDGET_RUN_TOKENS: '1000',
  BUDGET_ACCOUNT_DAY_COST: '0.08',
  MODEL_PRICES: 'gpt-4=30/60',
});

it('a budget in money is reserved at the model’s price, and settled with what was used', async () => {
  const { app, ada } = talk;
  await talk.createAgent();
  talk.provider.behave({ mode: 'silence' });
  const sessions: string[] = [];
  for (let i = 0; i < 3; i += 1) sessions.push(await app.startSession(ada, 'field-notes'));
  const body = { agentId: 'field-notes', inputText: 'Hello' };
  const answers = await Promise.all(
    sessions.map((id) => app.request('POST', `/api/sessions/${id}/tasks`, { as: ada, body })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect([refused?.body.error.message, refused?.headers.get('retry-after')]).toEqual([
    'Your budget of 0.08 USD a day has no room for another answer until those under way have ended. Please try again in 10 seconds.',
    '10',
  ]);
  const budget = async () => {
    const { budgets } = budgetsAnswer.parse((await app.request('GET', '/api/usage/budgets', { as: ada })).body);
    return budgets[0];
  };
  expect(await budget()).toMatchObject({ unit: 'cost', most: 0.08, use: { used: 0, reserved: NEED * 2 } });
  for (const { body: accepted } of answers.filter(({ status }) => status === 202)) {
    const { id, sessionId } = accepted.task;
    await app.request('POST', `/api/sessions/${sessionId}/tasks/${id}/cancel`, { as: ada });
  }
  await eventually(async () => expect((await budget())?.use?.reserved).toBe(0));
  const ledger = await app.deps.database.executeSql('select sum(cost)::float8 as cost from token_ledger', []);
  const used = Number(ledger.rows[0]?.cost);
  expect((await budget())?.use?.used).toBeCloseTo(used, 9);
  expect(used).toBeLessThan(NEED);
});

it('a model without a price is refused under it', async () => {
  const [all, most] = [await findBudgets(talk.app.deps), { input: 1, output: 1 }];
  const bind = () => bindBudgets(talk.app.deps, all, 'some-model', most);
  expect(bind).toThrow('the price of some-model isn’t known');
});
