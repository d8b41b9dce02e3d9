import { expect, it } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { fillSession } from '../../testing/long-session.ts';

/** With fewer, the planner takes the right index by itself. */
const EXCHANGES = 5_000;
/** PostgreSQL plans a function's statements for their values this many times, before it may keep a plan for any. */
const PLANNED_EACH = 6;

const app = await closing(testApp());
const ada = await app.signUpPro('Ada');
await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
const body = { agentId: 'field-notes', name: 'A long one' };
const session = (await app.request('POST', '/api/sessions', { as: ada, body })).body.session.id;
await fillSession(app, session, EXCHANGES);

const counted = z.object({ rows: z.array(z.object({ entries: z.coerce.number() })) });

/** How many entries some work reads of the indexes on what grows with a conversation. */
async function entriesRead(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await app.deps.database.executeSql('select pg_stat_force_next_flush()', []);
    const answer = await app.deps.database.executeSql(
      `select sum(idx_tup_read)::int as entries from pg_stat_user_indexes where relname in ('task_places', 'memories', 'facts')`,
      [],
    );
    return counted.parse(answer).rows[0]?.entries ?? 0;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

const send = () =>
  app.request('POST', '/api/runAgentTask', {
    as: ada,
    body: { sessionId: session, agentId: 'field-notes', inputText: 'Where is my kiln?' },
  });

// Only the embedded database has one connection, whose counts are complete, and never has statistics for its planner.

it('a page of a long session, its facts and a new message in it read a little, and not the whole session', async () => {
  const page = () => app.request('GET', `/api/sessions/${session}/tasks?limit=50`, { as: ada });
  expect((await page()).body.tasks).toHaveLength(50);
  // A page that opens has all memories read into the index, once; the first messages wait for it.
  await expect.poll(() => entriesRead(send)).toBeLessThan(500);
  expect(await entriesRead(page)).toBeLessThan(500);
  expect(await entriesRead(() => app.request('GET', '/api/facts', { as: ada }))).toBeLessThan(500);
});

it('a message after a summary reads what came after it, and not the exchanges that it covers', async () => {
  // The messages before may have had one written by now.
  await app.deps.database.executeSql(
    `insert into session_summaries (user_id, session_id, text, kind, until, exchanges)
     select user_id, session_id, 'They talked about kilns.', 'model', created_at, $2 from task_places
     where session_id = $1 order by created_at desc offset 20 limit 1
     on conflict (user_id, session_id) do update set
       text = excluded.text, kind = excluded.kind, until = excluded.until, exchanges = excluded.exchanges`,
    [session, EXCHANGES],
  );
  for (let i = 0; i < PLANNED_EACH; i += 1) await send();
  expect(await entriesRead(send)).toBeLessThan(500);
});
