import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type TestApp, testApp } from '../server/src/testing/harness.ts';
import { readConversations } from './conversations.ts';

const OWN = new URL('conversations/own.json', import.meta.url).pathname;
const CODE = '\n\n```ts\nexport const answer = (question: string) => question.length;\n```\n';

/** Real turns, every fifth with a list and every tenth with code, like answers. */
function texts(): { asked: string; answered: string }[] {
  const turns = readConversations(OWN).flatMap(({ sessions }) =>
    sessions.flatMap((session) => session.turns.map((turn) => turn.text)),
  );
  return turns.map((asked, i) => {
    const words = turns[(i * 7 + 3) % turns.length] ?? '';
    const list = i % 5 === 0 ? `\n\n- ${words.split(/[.!?] /u).join('\n- ')}` : '';
    return { asked, answered: `${words}${list}${i % 10 === 0 ? CODE : ''}` };
  });
}

/** The product on its own port, with one account and sessions of any length. */
export async function startTimelineServer() {
  const app = await testApp();
  const server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  const person = await app.signUp('Reader');
  await app.grantPro(person.uid);
  const created = await app.request('POST', '/api/agents', { as: person, body: { name: 'Bench', prompt: 'p' } });
  const pairs = JSON.stringify(texts().map(({ asked, answered }) => [asked, answered]));
  return {
    url: `http://localhost:${port}`,
    cookie: person.cookie,
    /** Writes a session of `size` exchanges directly to the database; returns its id and the last exchange's. */
    async fill(size: number): Promise<{ sessionId: string; lastId: string }> {
      const body = { agentId: created.body.agent.id };
      const answer = await app.request('POST', '/api/sessions', { as: person, body });
      const sessionId: string = answer.body.session.id;
      const { rows } = await app.deps.database.executeSql(
        `with made as (
           insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at)
           select $1, gen_random_uuid(), $2, s.agent_id, 'Bench', texts.asked, texts.answered, 'done', 'offline',
             now() - ($3::int - i) * interval '1 minute'
           from generate_series(1, $3::int) i
           join chat_sessions s on s.user_id = $1 and s.id = $2
           join (select (value->>0) as asked, (value->>1) as answered, ordinality - 1 as n, count(*) over () as total
                 from jsonb_array_elements($4::jsonb) with ordinality) texts on texts.n = i % texts.total
           returning id, created_at
         ) select id from made order by created_at desc limit 1`,
        [person.uid, sessionId, size, pairs],
      );
      return { sessionId, lastId: String(rows[0]?.id) };
    },
    /** Gives every fifth exchange a sibling, and the session a second branch of `size` exchanges from its middle; returns that one's first. */
    branch: (sessionId: string, size: number) => branch(app, { userId: person.uid, sessionId, size }),
    async stop() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await app.close();
    },
  };
}

async function branch(app: TestApp, of: { userId: string; sessionId: string; size: number }): Promise<string> {
  const { userId, sessionId, size } = of;
  const run = (text: string, values: unknown[]) => app.deps.database.executeSql(text, values);
  const copied = `user_id, gen_random_uuid(), session_id, agent_id, agent_name, input_text, message, status, model`;
  const columns = 'user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at';
  const first = await run(
    `select task_id from task_places where session_id = $1 order by created_at offset (
           select count(*) / 2 from task_places where session_id = $1) limit 1`,
    [sessionId],
  );
  const middle = String(first.rows[0]?.task_id);
  await run(
    `with made as (
           insert into tasks (${columns})
           select ${copied}, created_at + interval '1 second'
           from (select *, row_number() over (order by created_at) n from tasks where session_id = $1) t where n % 5 = 0
           returning id
         ) select count(*) from made`,
    [sessionId],
  );
  // The trigger put them between the others: make them siblings of the one before.
  await run(
    `with sib as (select p.task_id, p.parent_id from task_places p where p.session_id = $1 and extract(second from p.created_at)
           <> (select extract(second from min(q.created_at)) from task_places q where q.session_id = $1)),
         kept as (update task_places f set parent_id = sib.parent_id from sib where f.session_id = $1 and f.parent_id = sib.task_id)
         update task_places s set on_path = false, parent_id = x.parent_id from sib, task_places x
           where s.task_id = sib.task_id and x.task_id = sib.parent_id and s.session_id = $1`,
    [sessionId],
  );
  const end = await run(
    `select task_id from task_places where session_id = $1 and on_path order by created_at desc limit 1`,
    [sessionId],
  );
  await run('select atelier_lay_path($1, $2, $3)', [userId, sessionId, middle]);
  const made = await run(
    `with made as (
           insert into tasks (${columns})
           select ${copied}, now() + n * interval '1 second'
           from (select *, row_number() over (order by created_at) n from tasks where session_id = $1 limit $2::int) t
           returning id, created_at
         ) select id from made order by created_at limit 1`,
    [sessionId, size],
  );
  await run('select atelier_lay_path($1, $2, $3)', [userId, sessionId, String(end.rows[0]?.task_id)]);
  return String(made.rows[0]?.id);
}
