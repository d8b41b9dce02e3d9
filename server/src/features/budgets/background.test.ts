import { expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { jobsEnd } from '../../testing/jobs-end.ts';
import { providedApp } from '../../testing/provided-app.ts';
import { askInBackground } from './background.service.ts';

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

it.each(['silence', 'cut'] as const)('work in the background that ends in %s is counted', async (mode) => {
  const { database, models } = talk.app.deps;
  talk.provider.behave({ mode, after: mode === 'cut' ? 1 : 0 });
  const model = 'gpt-4';
  const call = { uid: talk.ada.uid, purpose: 'title', model, tokens: 900, timeoutMs: 60_000 } as const;
  const stop = new AbortController();
  const title = askInBackground(talk.app.deps, call, (how) =>
    models.title({ model, question: 'Where is Bergen?', answer: 'In Norway.', ...how, signal: stop.signal }),
  );
  await eventually(() => expect(talk.provider.requests).toHaveLength(1));
  if (mode === 'silence') stop.abort();
  await expect(title).rejects.toThrow();
  const { rows } = await database.executeSql('select purpose, calls, estimated, input_tokens from token_ledger', []);
  expect(rows).toEqual([{ purpose: 'title', calls: 1, estimated: 1, input_tokens: expect.anything() }]);
  const [asked] = talk.provider.to('/v1/chat/completions');
  // What its question leaves of what it has reserved.
  expect(asked?.body.max_tokens).toBe(900 - Number(rows[0]?.input_tokens));
});
