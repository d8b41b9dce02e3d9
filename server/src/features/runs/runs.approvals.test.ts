import { createServer } from 'node:http';
import type { Task } from '@atelier/contract/runs';
import { expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { listen } from '../../testing/listen.ts';

const provider = await closing(startFakeOpenAI());
const pages = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<p>Harbour</p><a href="/hours">Hours</a><a href="/tides">Tides</a>');
});
const { origin: site } = await closing(listen(pages));
const env = { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-approvals', FETCH_ALLOWED: '127.0.0.1' };
const app = await closing(testApp({ env }));
const ada = await app.signUpPro();

const fetches = (...urls: string[]) => urls.map((url) => ({ name: 'web_fetch', arguments: JSON.stringify({ url }) }));
const statesOf = ({ toolCalls }: Task) => toolCalls.map(({ state }) => state);

it('links of one site that are called at once need one answer', async () => {
  const body = { name: 'Helper', prompt: 'You help.', tools: ['web_fetch'] };
  await app.request('POST', '/api/agents', { as: ada, body });
  const sessionId = await app.startSession(ada, 'helper');
  const tasksAt = `/api/sessions/${sessionId}/tasks`;
  const read = async ({ id }: Task): Promise<Task> =>
    (await app.request('GET', `${tasksAt}/${id}`, { as: ada })).body.task;
  const send = async (inputText: string): Promise<Task> =>
    (await app.request('POST', tasksAt, { as: ada, body: { agentId: 'helper', inputText } })).body.task;

  provider.behave({ toolCalls: fetches(`${site}/`), text: 'A harbour.' });
  const first = await send(`What is on ${site}/ today?`);
  await eventually(async () => expect(await read(first)).toMatchObject({ status: 'done' }));
  expect(statesOf(await read(first))).toEqual(['done']);

  provider.behave({ toolCalls: fetches(`${site}/hours`, `${site}/tides`), text: 'Noon, and six.' });
  const second = await send('When does it open, and when is high water?');
  await eventually(async () => expect(statesOf(await read(second))).toEqual(['waiting', 'running']));
  await app.request('POST', `${tasksAt}/${second.id}/approve`, {
    as: ada,
    body: { callId: 'call-1', decision: 'once' },
  });
  await eventually(async () => expect(await read(second)).toMatchObject({ status: 'done' }));
  const { toolCalls } = await read(second);
  expect(toolCalls.map(({ state, question }) => [state, question?.to])).toEqual([
    ['done', `${site}/hours`],
    ['done', undefined],
  ]);
  expect(toolCalls[0]?.question?.why).toContain('a link on a page of this site');
});
