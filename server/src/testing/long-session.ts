import type { TestApp } from './harness.ts';

/** Gives a session finished exchanges, “question 1”, “answer 1” and so on, a second apart, and its agent the memory of each question. */
export async function fillSession({ deps }: TestApp, sessionId: string, count: number): Promise<void> {
  await deps.database.executeSql(
    `with made as (
       insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at, finished_at)
       select s.user_id, gen_random_uuid(), s.id, s.agent_id, 'Field Notes', 'question ' || n, 'answer ' || n, 'done', 'gpt-4',
         now() - make_interval(secs => $2::int - n), now()
       from chat_sessions s, generate_series(1, $2::int) n where s.id = $1
       returning *
     ), remembered as (
       insert into memories (user_id, id, agent_id, session_id, task_id, kind, text, version, created_at)
       select user_id, gen_random_uuid(), agent_id, session_id, id, 'person', input_text, 1, created_at from made
     ) update agents a set memory_version = 1 from chat_sessions s where s.id = $1 and a.user_id = s.user_id and a.id = s.agent_id`,
    [sessionId, count],
  );
}
