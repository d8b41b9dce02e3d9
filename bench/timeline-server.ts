import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { testApp } from '../server/src/testing/harness.ts';
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
    async stop() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await app.close();
    },
  };
}
