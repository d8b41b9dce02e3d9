import { task } from '@atelier/contract/runs';
import { session } from '@atelier/contract/sessions';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { effort } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { fillSession } from '../../testing/long-session.ts';

let ada: TestUser;
let id: string;
const app = await emptyApp();
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  const body = { agentId: 'field-notes', name: 'Norway / “fjords”: ☔ ../x' };
  id = (await app.request('POST', '/api/sessions', { as: ada, body })).body.session.id;
});

async function download(format: string, as: TestUser | undefined = ada, of = id) {
  const headers = as === undefined ? {} : { cookie: as.cookie };
  const response = await app.app.request(`http://localhost/api/sessions/${of}/export?format=${format}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const ask = (inputText: string) =>
  app.request('POST', '/api/runAgentTask', { as: ada, body: { sessionId: id, agentId: 'field-notes', inputText } });

it('gives Markdown with every exchange, under a safe name', async () => {
  await ask('My kiln stands in Faro.');
  await ask('Where is my kiln?');
  const { status, headers, text } = await download('md');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\w.\- ]+\.md"; filename\*=UTF-8''Norway[^/\\]+\.md$/u,
  );
  expect(text).toMatch(/^# Norway/u);
  expect(text.indexOf('> My kiln stands in Faro.')).toBeLessThan(text.indexOf('> Where is my kiln?'));
  expect(text.match(/^## \d+\. \d{4}-\d\d-\d\d \d\d:\d\d UTC$/gmu)).toHaveLength(2);
});

it('loads nothing for a question, as opening the conversation does', async () => {
  await ask('My kiln stands in Faro.');
  const asked = vi.spyOn(app.deps.memoryIndex, 'ask');
  onTestFinished(() => asked.mockRestore());
  expect((await download('md')).status).toBe(200);
  expect(asked.mock.calls).toEqual([]);
  await app.request('GET', `/api/sessions/${id}/tasks`, { as: ada });
  await eventually(() => expect(asked).toHaveBeenCalled());
});

it('gives JSON with what the archive of the account has of the session', async () => {
  await ask('My kiln stands in Faro.');
  const { folder } = (await app.request('POST', '/api/folders', { as: ada, body: { name: 'Trips' } })).body;
  await app.request('PATCH', `/api/sessions/${id}`, { as: ada, body: { folderId: folder.id } });
  const { status, headers, text } = await download('json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const file = JSON.parse(text);
  expect(file).toMatchObject({ format: 'atelier.session', version: 1, folder: 'Trips', summaries: [], toolFiles: [] });
  expect(session.parse(file.session).id).toBe(id);
  expect(task.array().parse(file.exchanges)).toHaveLength(1);
  expect(file.memories.map((m: { text: string }) => m.text)).toContain('My kiln stands in Faro.');
  expect(text).not.toContain('leaseOwner');
});

it('gives an empty session in both forms', async () => {
  expect((await download('md')).text).toContain('No messages yet.');
  expect(JSON.parse((await download('json')).text).exchanges).toEqual([]);
});

it('gives a long conversation in its order, each exchange once', async () => {
  const many = effort(300, 5_000);
  await fillSession(app, id, many);
  const { text } = await download('md');
  const said = [...text.matchAll(/^> question (\d+)$/gmu)].map((m) => Number(m[1]));
  expect(said).toEqual(Array.from({ length: many }, (_, i) => i + 1));
  expect(JSON.parse((await download('json')).text).exchanges).toHaveLength(many);
});

it('goes to its owner only, in a form that exists, one at a time', async () => {
  const bob = await app.signUp('Bob');
  expect((await download('md', bob)).status).toBe(404);
  expect((await download('md', ada, 'nonsense')).status).toBe(404);
  for (const format of ['pdf', '']) expect((await download(format)).status).toBe(400);
  await app.request('DELETE', `/api/sessions/${id}`, { as: ada });
  expect((await download('md')).status).toBe(404);
});
