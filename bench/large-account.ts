import type { Database } from '../server/src/platform/database/database.ts';
import { makeAccounts } from './exchange/accounts.ts';

/** What else is deleted with exchanges and memories: receipts, vectors, facts, attachments, and what others have copied of the agent. */
const BELONGINGS = [
  `update tasks t set memory_used = jsonb_build_array(jsonb_build_object('id', m.id, 'kind', 'person', 'text', m.text, 'sessionId', m.session_id,
     'score', 1, 'timestamp', '2026-01-01T00:00:00.000Z')) from memories m where m.task_id = t.id and m.kind = 'person' and t.user_id = $1`,
  `insert into memory_vectors (user_id, memory_id, space, vector)
     select user_id, id, 'bench', decode(repeat('7f', 256), 'hex') from memories where user_id = $1`,
  `insert into facts (user_id, id, agent_id, memory_id, sentence, text, about, statement)
     select $1, gen_random_uuid(), agent_id, id, 0, left(text, 100), 'You', id::text from memories where user_id = $1 limit 5000`,
  `insert into attachments (user_id, id, session_id, name, key, type, kind, size, state)
     select $1, gen_random_uuid(), id, 'a.txt', id::text, 'text/plain', 'text', 1, 'ready' from chat_sessions where user_id = $1`,
  `insert into agents (user_id, id, slug, name, prompt, model, temperature, memory_enabled, forked_from_user, forked_from_agent)
     select other.id, gen_random_uuid(), 'copy-' || i, 'Copy', 'p', 'offline', 0.5, true, $1, (select id from agents where user_id = $1 limit 1)
     from "user" other, generate_series(1, 1000) i where other.id <> $1`,
  'checkpoint',
];

/** An account of 100,000 memories, and somebody who has copied its agent. */
export async function makeLargeAccount(database: Database) {
  const [owner, stranger] = await makeAccounts(database, [{ exchanges: 50_000, aSession: 25 }, undefined]);
  if (owner === undefined || stranger === undefined) throw new Error('there are no accounts');
  for (const statement of BELONGINGS)
    await database.executeSql(statement, statement.includes('$1') ? [owner.uid] : undefined);
  return { owner, stranger };
}
