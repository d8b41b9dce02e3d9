import type { Database } from '../../server/src/platform/database/database.ts';
import { testApp } from '../../server/src/testing/harness.ts';
import { pairsOfTurns } from '../made-texts.ts';
import type { Account } from './client.ts';

/** Signs the accounts' cookies, here and in the measured server. */
export const AUTH_SECRET = 'a secret for the bench only, long enough';
/** So many exchanges are written by one statement. */
const PORTION = 2_000;

/** Exchanges that an account has already, in sessions of so many. */
export interface Past {
  exchanges: number;
  aSession: number;
  /** Answers have lists and code. */
  formatted?: boolean;
}

/** Pro accounts, each with an agent that remembers and has no tools, and a session. The database is not served yet. */
export async function makeAccounts(database: Database, pasts: (Past | undefined)[]): Promise<Account[]> {
  const app = await testApp({ database, env: { AUTH_SECRET } });
  const people: Account[] = [];
  for (const past of pasts) {
    const user = await app.signUpPro('Bench');
    const settings = { name: 'Bench', prompt: 'You answer.', memoryEnabled: true, tools: [] };
    const { agent } = await app.call(user, 'POST', '/api/agents', settings);
    const begin = () => app.startSession(user, agent.id);
    let sessionId = await begin();
    if (past !== undefined) {
      await writePast(database, user.uid, sessionId, past);
      // The conversation that is measured is a new one, unless all of the past is one conversation.
      if (past.aSession < past.exchanges) sessionId = await begin();
    }
    people.push({ ...user, agentId: agent.id, sessionId });
  }
  await app.close();
  return people;
}

/** Writes exchanges and their memories directly, a minute apart and before now; the first session is the given one. */
async function writePast(database: Database, uid: string, sessionId: string, past: Past): Promise<void> {
  const pairs = JSON.stringify(pairsOfTurns(past.formatted));
  await database.executeSql(
    `insert into chat_sessions (user_id, id, agent_id, name, created_at)
     select user_id, gen_random_uuid(), agent_id, 'Session ' || i, now() - i * interval '1 hour'
     from chat_sessions, generate_series(2, ceil($3::float8 / $4)::int) i where user_id = $1 and id = $2`,
    [uid, sessionId, past.exchanges, past.aSession],
  );
  for (let from = 0; from < past.exchanges; from += PORTION) {
    const to = Math.min(from + PORTION, past.exchanges);
    await database.executeSql(WRITE, [uid, from, to, past.exchanges, past.aSession, pairs]);
    // The embedded database frees its log only then.
    await database.executeSql('checkpoint');
  }
  await database.executeSql(SUMMARISE, [
    uid,
    AFTER_SUMMARY,
    pairsOfTurns().slice(0, 10).join('\n').slice(0, SUMMARY_LENGTH),
  ]);
  await database.executeSql(`update agents set memory_version = 1 where user_id = $1`, [uid]);
  // In production autovacuum has done this long ago. Not where nothing is: a planner that knows how little there is plans for that little.
  await database.executeSql('vacuum analyze');
}

/** A long conversation has a summary of all but its newest exchanges, if it was ever talked in. */
const [AFTER_SUMMARY, SUMMARY_LENGTH] = [30, 1_500];
const SUMMARISE = `
  insert into session_summaries (user_id, session_id, text, kind, until, exchanges)
  select user_id, session_id, $3, 'model', created_at, before
  from (
    select *, row_number() over w as after, count(*) over (partition by session_id) - row_number() over w as before
    from tasks where user_id = $1 window w as (partition by session_id order by created_at desc)
  ) numbered
  where after = $2 + 1`;

const WRITE = `
  with numbered as (
    select id, agent_id, row_number() over (order by created_at desc, id) - 1 as n from chat_sessions where user_id = $1
  ), texts as (
    select value->>0 as asked, value->>1 as answered, ordinality - 1 as n, count(*) over () as total
    from jsonb_array_elements($6::jsonb) with ordinality
  ), made as (
    insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at, finished_at)
    select $1, gen_random_uuid(), numbered.id, numbered.agent_id, 'Bench', texts.asked || ' ' || i, texts.answered || ' ' || i,
      'done', 'gpt-4', at, at
    from generate_series($2::int, $3::int - 1) i
    join numbered on numbered.n = i / $5::int
    join texts on texts.n = i % texts.total
    cross join lateral (select now() - ($4::int - i) * interval '1 minute' as at) times
    returning *
  )
  insert into memories (user_id, id, agent_id, session_id, task_id, kind, text, version, created_at)
  select user_id, gen_random_uuid(), agent_id, session_id, id, said.kind, said.line, 1, created_at
  from made cross join lateral (values ('person', input_text), ('agent', message)) as said (kind, line)`;
