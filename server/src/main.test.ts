import { beforeEach, describe, expect, it } from 'vitest';
import { fillDataFolder } from './testing/database.ts';
import { eventually } from './testing/eventually.ts';
import { startFakeOpenAI } from './testing/fake-openai.ts';
import { closing, temporaryFolder } from './testing/lifetimes.ts';
import { type ServerProcess, signUpAt, startProcess } from './testing/server-process.ts';

const { folder } = temporaryFolder('main');
fillDataFolder(folder);
const provider = await closing(startFakeOpenAI());
let server: ServerProcess;
let ada: Awaited<ReturnType<typeof signUpAt>>;
beforeEach(async () => {
  provider.reset();
  server = await startProcess({ DATA_DIR: folder, OPENAI_BASE_URL: provider.url });
  ada = await signUpAt(server);
  await ada.post('/api/agents', { name: 'Helper', prompt: 'You help.' });
});

/** Has an answer begin; gives what its event stream carries until it ends or is cut. */
async function beginAnswer() {
  const { session }: { session: { id: string } } = await json(ada.post('/api/sessions', { agentId: 'helper' }));
  const path = `/api/sessions/${session.id}/tasks`;
  const { task }: { task: { id: string } } = await json(ada.post(path, { agentId: 'helper', inputText: 'Hi' }));
  const events = fetch(`${server.url}${path}/${task.id}/events`, { headers: { cookie: ada.cookie } })
    .then((answer) => answer.text())
    .catch(() => 'cut');
  await eventually(() => expect(provider.requests.some(({ isAnswer }) => isAnswer)).toBe(true));
  return { events };
}

const json = async (answer: Promise<Response>) => JSON.parse(await (await answer).text());

describe('a signal to stop', () => {
  it('lets the answer that runs finish; the same one from terminal and start script counts once', async () => {
    provider.behave({ deltas: 20, delayMs: 50 });
    const { events } = await beginAnswer();
    server.child.kill('SIGINT');
    server.child.kill('SIGINT');
    expect(await events).toMatch(/event: done\ndata: .*"message":"Hello from the fake provider\."/);
    expect(await server.exited).toBe(0);
  });

  it('ends it at once when it comes again', async () => {
    provider.behave({ deltas: 2, delayMs: 600_000 });
    const { events } = await beginAnswer();
    const again = setInterval(() => server.child.kill('SIGTERM'), 100);
    expect(await server.exited).toBe(1);
    clearInterval(again);
    expect(await events).not.toContain('event: done');
  });
});
