import { parseArgs } from 'node:util';
import { testApp } from '../server/src/testing/harness.ts';
import { askAll, type QuestionAgent, readQuestions, summary, type Teller } from './questions/questions.ts';
import { standIn } from './questions/stand-in.ts';

/** The product's own path: a Pro user, their agents and sessions, and every message through runAgentTask. */
async function product(): Promise<Teller & { close(): Promise<void> }> {
  const app = await testApp({ env: { FACTS: 'model' } });
  const user = await app.signUp('Bench');
  await app.grantPro(user.uid);
  const agents = new Map<string, string>();
  const sessions = new Map<string, string>();
  const post = async (path: string, body: unknown) => {
    const answer = await app.request('POST', path, { as: user, body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  async function agentFor({ name, prompt }: QuestionAgent): Promise<string> {
    const known = agents.get(name);
    if (known !== undefined) return known;
    const { agent } = await post('/api/agents', { name, prompt });
    agents.set(name, agent.id);
    return agent.id;
  }
  async function sessionFor(agentId: string, name: string): Promise<string> {
    const known = sessions.get(`${agentId}/${name}`);
    if (known !== undefined) return known;
    const { session } = await post('/api/sessions', { agentId, name });
    sessions.set(`${agentId}/${name}`, session.id);
    return session.id;
  }
  return {
    async tell(agent, sessionName, inputText) {
      const agentId = await agentFor(agent);
      const sessionId = await sessionFor(agentId, sessionName);
      const { task } = await post('/api/runAgentTask', { sessionId, agentId, inputText });
      return typeof task === 'string' ? task : task.message;
    },
    close: () => app.close(),
  };
}

const { values } = parseArgs({
  options: { 'stand-in': { type: 'boolean' }, verbose: { type: 'boolean' }, questions: { type: 'string' } },
});
const agents = readQuestions(values.questions);
const real = values['stand-in'] ? undefined : await product();
try {
  const results = await askAll(agents, real ?? standIn());
  for (const { agent, ask, line, answer, right } of results) {
    if (right && !values.verbose) continue;
    process.stdout.write(
      `${right ? 'right' : 'WRONG'}  ${agent}: ${ask}\n  wanted: ${line ?? '(nothing)'}\n  ${answer.replaceAll('\n', '\n  ')}\n\n`,
    );
  }
  process.stdout.write(`${summary(results)}\n`);
} finally {
  await real?.close();
}
