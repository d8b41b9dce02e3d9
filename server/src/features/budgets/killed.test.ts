import { afterAll, expect, it } from 'vitest';
import { fillDataFolder } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { endProcess } from '../../testing/listen.ts';
import { requestOf } from '../../testing/requests.ts';
import { type ServerProcess, signUpAt, startProcess } from '../../testing/server-process.ts';

const { folder } = temporaryFolder('budget');
fillDataFolder(folder);
const provider = await closing(startFakeOpenAI());
let server: ServerProcess;
afterAll(() => endProcess(server.child, 'SIGKILL'));

const start = () =>
  startProcess({
    DATA_DIR: folder,
    OPENAI_BASE_URL: provider.url,
    OPENAI_API_KEY: 'sk-test-0123456789',
    BUDGET_RUN_TOKENS: '1000',
    BUDGET_ACCOUNT_DAY_TOKENS: '2500',
    LEASE_MS: '1500',
  });

it('a process that is killed in the middle of answers gives back what they had reserved', async () => {
  provider.behave({ mode: 'silence' });
  server = await start();
  const { cookie } = await signUpAt(server);
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, requestOf(server.url, cookie, method, body));
    return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') };
  };
  await ask('POST', '/api/agents', { name: 'Field Notes', prompt: 'p' });
  const message = { agentId: 'field-notes', inputText: 'Hello' };
  const sessions: string[] = [];
  for (let i = 0; i < 3; i += 1)
    sessions.push((await ask('POST', '/api/sessions', { agentId: 'field-notes' })).body.session.id);
  const send = async (id = '') => (await ask('POST', `/api/sessions/${id}/tasks`, message)).status;
  const [one, two, three] = sessions;
  expect([await send(one), await send(two), await send(three)]).toEqual([202, 202, 429]);
  const reserved = async () => (await ask('GET', '/api/usage/budgets')).body.budgets[0].use.reserved;
  expect(await reserved()).toBe(2_000);
  server.child.kill('SIGKILL');
  await server.exited;
  server = await start();
  await eventually(async () => expect(await reserved()).toBe(0));
  expect(await send(three)).toBe(202);
});
