import type { Database } from '../server/src/platform/database/database.ts';
import { makeTexts } from './made-texts.ts';

const SIZE = { memories: 100_000, exchanges: 5_000, sessions: 2_000, facts: 5_000, copies: 1_000 };
/** Others wait for each statement, here too. */
const AT_ONCE = 5_000;

/** Ids in the order in which the rows are stored, as the product's own (UUID version 7): row `n` has the time of `n` ms after a fixed day. */
const idOf = (n: string) =>
  `(lpad(to_hex(1750000000000 + ${n}), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

/**
 * Gives an account's agent sessions, exchanges with receipts, memories with vectors, facts, attachments, and copies and favorites of
 * somebody else.
 */
export async function fillAccount({ executeSql }: Pick<Database, 'executeSql'>, owner: string, fan: string) {
  const run = (text: string, ...values: unknown[]) => executeSql(text, [owner, ...values]);
  const texts = JSON.stringify(makeTexts(2_000));
  await run(
    `insert into chat_sessions (user_id, id, agent_id, name)
     select $1, ${idOf('i')}, (select id from agents where user_id = $1 limit 1), 'About the kiln' from generate_series(1, $2::int) i`,
    SIZE.sessions,
  );
  for (let done = 0; done < SIZE.memories; done += AT_ONCE) {
    await run(
      `with texts as (select array(select jsonb_array_elements_text($3::jsonb)) as all_texts),
         places as (select id, agent_id, row_number() over () - 1 as n from chat_sessions where user_id = $1),
         made as (
           insert into memories (user_id, id, agent_id, session_id, kind, text, version)
           select $1, ${idOf('i')}, p.agent_id, p.id, case when i % 2 = 0 then 'person' else 'agent' end, all_texts[1 + i % 2000], i
           from generate_series($2::int, $2::int + ${AT_ONCE - 1}) i join places p on p.n = i % ${SIZE.sessions}, texts returning id)
       insert into memory_vectors (user_id, memory_id, space, vector) select $1, id, 'bench', decode(repeat('7f', 256), 'hex') from made`,
      done,
      texts,
    );
  }
  await run(
    `with texts as (select array(select jsonb_array_elements_text($2::jsonb)) as all_texts),
       places as (select id, agent_id, row_number() over () - 1 as n from chat_sessions where user_id = $1),
       told as (select (n - 1) / 5 as i, jsonb_agg(jsonb_build_object('id', id, 'kind', 'person', 'text', text, 'sessionId', session_id,
         'score', 1, 'timestamp', '2026-01-01T00:00:00.000Z')) as items
         from (select *, row_number() over (order by id) as n from memories where user_id = $1 limit ${5 * SIZE.exchanges}) m group by 1)
     insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, memory_used, created_at, finished_at)
     select $1, ${idOf('told.i')}, p.id, p.agent_id, 'Bench', all_texts[1 + told.i % 2000], all_texts[1 + (told.i + 7) % 2000], 'done', 'offline',
       told.items, now() - interval '1 day', now() - interval '1 day'
     from told join places p on p.n = told.i % ${SIZE.sessions}, texts`,
    texts,
  );
  await run(
    `insert into facts (user_id, id, agent_id, memory_id, sentence, text, about, statement)
     select $1, gen_random_uuid(), agent_id, id, 0, left(text, 100), 'You', id::text from memories where user_id = $1 limit ${SIZE.facts}`,
  );
  await run(
    `insert into attachments (user_id, id, session_id, name, key, type, kind, size, state)
     select $1, gen_random_uuid(), id, 'a.txt', id::text, 'text/plain', 'text', 1, 'ready' from chat_sessions where user_id = $1`,
  );
  await run(
    `insert into agents (user_id, id, slug, name, prompt, model, temperature, memory_enabled, forked_from_user, forked_from_agent)
     select $2, gen_random_uuid(), 'copy-' || i, 'Copy', 'p', 'offline', 0.5, true, $1, (select id from agents where user_id = $1 limit 1)
     from generate_series(1, ${SIZE.copies}) i`,
    fan,
  );
}
