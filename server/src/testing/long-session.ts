import type { TestApp } from './harness.ts';

/** Gives a session finished exchanges, “question 1”, “answer 1” and so on, a second apart. */
export async function fillSession({ deps }: TestApp, sessionId: string, count: number): Promise<void> {
  await deps.database.executeSql(
    `insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at, finished_at)
     select s.user_id, gen_random_uuid(), s.id, s.agent_id, 'Field Notes', 'question ' || n, 'answer ' || n, 'done', 'gpt-4',
       now() - make_interval(secs => $2::int - n), now()
     from chat_sessions s, generate_series(1, $2::int) n where s.id = $1`,
    [sessionId, count],
  );
}
