// Asks the built-in offline model forty questions, and ten that it can't answer, through the product's own path.
//   npm run bench:questions -- [--verbose] [--questions held-out.json]
import { testApp } from '../server/src/testing/harness.ts';
import { askAll, readQuestions, summary, type Teller } from './questions/questions.ts';
import { readOptions } from './report.ts';

const app = await testApp({ env: { FACTS: 'model' } });
const user = await app.signUpPro('Bench');
const post = (path: string, body: unknown) => app.call(user, 'POST', path, body);
const ids = new Map<string, string>();

/** The id of an agent or a session, which is made where it is missing. */
async function idOf(name: string, make: () => Promise<{ id: string }>): Promise<string> {
  const id = ids.get(name) ?? (await make()).id;
  ids.set(name, id);
  return id;
}

/** The product's own path: a Pro user, their agents and sessions, and every message through runAgentTask. */
const product: Teller = {
  async tell({ name: agent, prompt }, name, inputText) {
    const agentId = await idOf(agent, async () => (await post('/api/agents', { name: agent, prompt })).agent);
    const sessionId = await idOf(
      `${agent}/${name}`,
      async () => (await post('/api/sessions', { agentId, name })).session,
    );
    const { task } = await post('/api/runAgentTask', { sessionId, agentId, inputText });
    return typeof task === 'string' ? task : task.message;
  },
};

const { verbose, questions } = readOptions({ verbose: false, questions: 'offline.json' });
const results = await askAll(readQuestions(questions), product);
await app.close();
for (const { agent, ask, line, answer, right } of results) {
  if (right && !verbose) continue;
  const verdict = right ? 'right' : 'WRONG';
  console.log(`${verdict}  ${agent}: ${ask}\n  wanted: ${line ?? '(nothing)'}\n  ${answer.replaceAll('\n', '\n  ')}\n`);
}
console.log(summary(results));
