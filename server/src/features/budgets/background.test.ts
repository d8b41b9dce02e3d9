import { expect, it } from 'vitest';
import { jobsEnd } from '../../testing/jobs-end.ts';
import { providedApp } from '../../testing/provided-app.ts';

// Room for an answer, and for no title or facts by a model after it.
const talk = await providedApp({ FACTS: 'model', BUDGET_RUN_TOKENS: '1000', BUDGET_ACCOUNT_DAY_TOKENS: '1999' });

it('work in the background begins only where the budget has room for it', async () => {
  await talk.createAgent();
  const ask = await talk.openSession();
  await ask('My sister Nora is allergic to peanuts.');
  await jobsEnd(talk.app);
  const { rows } = await talk.app.deps.database.executeSql('select purpose, calls from token_ledger', []);
  expect(rows).toEqual([{ purpose: 'answer', calls: 1 }]);
  expect(talk.provider.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1);
  // Facts are then found by rules.
  expect((await talk.facts()).map(({ text }) => text).join()).toContain('Nora');
});
