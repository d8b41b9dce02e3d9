// Asks the built-in offline model forty questions, and ten that it can't answer, through the product's own path.
//   npm run bench:questions -- [--verbose] [--questions held-out.json]
import { testApp } from '../server/src/testing/harness.ts';
import { askAll, type QuestionAgent, readQuestions, summary, type Teller } from './questions/questions.ts';
import { readOptions } from './report.ts';

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

const { verbose, questions } = readOptions({ verbose: false, questions: 'offline.json' });
const teller = await product();
const results = await askAll(readQuestions(questions), teller);
await teller.close();
for (const { agent, ask, line, answer, right } of results) {
  if (right && !verbose) continue;
  const verdict = right ? 'right' : 'WRONG';
  console.log(`${verdict}  ${agent}: ${ask}\n  wanted: ${line ?? '(nothing)'}\n  ${answer.replaceAll('\n', '\n  ')}\n`);
}
console.log(summary(results));
