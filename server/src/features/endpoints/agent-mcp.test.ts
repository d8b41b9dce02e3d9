import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { sendFile } from '../../testing/files.ts';
import { testApp } from '../../testing/harness.ts';
import { proWithKey, startForPrograms } from '../../testing/programs.ts';

let who: Awaited<ReturnType<typeof proWithKey>>;
const open: Client[] = [];

const at = await startForPrograms();
beforeEach(async () => {
  who = await proWithKey(at.app);
});
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

async function connect(apiKey: string, agent = 'nora') {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${at.url}/mcp/${agent}`), { requestInit });
  // The library's own types differ under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  open.push(client);
  return client;
}

const call = async (client: Client, name: string, args: Record<string, unknown>) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', isError: isError === true };
};
const newKey = async (body: object) => {
  const made = await at.app.request('POST', '/api/keys', { as: who.user, body: { name: 'Other', ...body } });
  return String(made.body.key.secret);
};

it('is asked, remembers and recalls through the official client', async () => {
  const client = await connect(who.apiKey);
  expect(client.getServerVersion()).toMatchObject({ name: 'Nora' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['ask', 'remember', 'recall']);
  expect(await call(client, 'remember', { text: 'My kiln stands in Faro.' })).toEqual({
    text: 'Remembered.',
    isError: false,
  });
  const found = JSON.parse((await call(client, 'recall', { query: 'Where is the kiln?' })).text);
  expect(found.memories).toMatchObject([{ kind: 'person', text: 'My kiln stands in Faro.' }]);
  expect((await call(client, 'ask', { message: 'Where does my kiln stand?' })).text).toBe(
    'Hello from the fake provider.',
  );
  expect(JSON.stringify(at.provider.requests[0]?.body.messages)).toMatch(/Faro/u);
  const { memories } = (await at.app.request('GET', '/api/memories', { as: who.user })).body;
  expect(memories.map(({ text }: { text: string }) => text)).toContain('My kiln stands in Faro.');
});

it('offers the agent’s files as resources', async () => {
  const schedule: [string, string] = ['schedule.txt', 'Fire the kiln for twelve hours.'];
  expect((await sendFile(at.app, who.user, '/api/agents/nora/files', schedule)).status).toBe(201);
  const client = await connect(who.apiKey);
  await eventually(async () => expect((await client.listResources()).resources).toHaveLength(1));
  const [file] = (await client.listResources()).resources;
  expect(file).toMatchObject({ name: 'schedule.txt', mimeType: 'text/plain' });
  const { contents } = await client.readResource({ uri: file?.uri ?? '' });
  expect(contents).toMatchObject([{ text: 'Fire the kiln for twelve hours.' }]);
  await expect(client.readResource({ uri: 'atelier://files/nothing' })).rejects.toThrow(/not found/u);
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/not found/u);
});

it('offers a key what its scopes allow', async () => {
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  const reader = await connect(await newKey({ scopes: ['read'] }));
  expect(await namesOf(reader)).toEqual(['recall']);
  await expect(call(reader, 'ask', { message: 'Hello?' })).rejects.toThrow(/not for this key/u);
  const talker = await connect(await newKey({ scopes: ['talk'] }));
  expect(await namesOf(talker)).toEqual(['ask', 'remember']);
  expect(talker.getServerCapabilities()?.resources).toBeUndefined();
  await expect(call(talker, 'recall', { query: 'kiln' })).rejects.toThrow(/not for this key/u);
});

it('is there for nobody else: another’s key, one for another agent, a revoked one, none', async () => {
  const eve = await proWithKey(at.app, { name: 'Otto' });
  await expect(connect(eve.apiKey)).rejects.toThrow(/404|not found/u);
  await at.app.request('POST', '/api/agents', { as: who.user, body: { name: 'Otto', prompt: 'You count.' } });
  await expect(connect(await newKey({ agentIds: ['otto'] }))).rejects.toThrow(/404|not found/u);
  await at.app.request('DELETE', `/api/keys/${who.keyId}`, { as: who.user });
  await expect(connect(who.apiKey)).rejects.toThrow(/401|API key|Unauthorized/u);
  await expect(connect('')).rejects.toThrow(/401|API key|Unauthorized/u);
});

it('tells a client whose key is wrong so, instead of leading it into a sign-in', async () => {
  const begun: string[] = [];
  const noted = (what: string) => () => void begun.push(what);
  const authProvider = {
    redirectUrl: 'http://localhost/back',
    clientMetadata: { redirect_uris: ['http://localhost/back'] },
    clientInformation: noted('registers'),
    saveClientInformation: noted('registered'),
    tokens: () => undefined,
    saveTokens: noted('signed in'),
    redirectToAuthorization: noted('leaves'),
    saveCodeVerifier: noted('verifies'),
    codeVerifier: () => '',
  };
  const requestInit = { headers: { authorization: 'Bearer atl_wrong' } };
  const transport = new StreamableHTTPClientTransport(new URL(`${at.url}/mcp/nora`), { authProvider, requestInit });
  const connecting = new Client({ name: 'test', version: '1' }).connect(transport as Parameters<Client['connect']>[0]);
  await expect(connecting).rejects.toThrow(/A valid API key is needed/u);
  expect(begun).toEqual([]);
});

it('says as the tool’s own answer what is wrong with a call', async () => {
  const client = await connect(who.apiKey);
  expect(await call(client, 'ask', { message: ' ' })).toMatchObject({ isError: true });
  expect(await call(client, 'ask', {})).toMatchObject({ isError: true });
  at.provider.behave({ mode: 'error', status: 400, errorMessage: 'No such model.' });
  expect(await call(client, 'ask', { message: 'Hello?' })).toMatchObject({ isError: true });
  await at.app.request('PUT', '/api/agents/nora', { as: who.user, body: { memoryEnabled: false } });
  expect(await call(client, 'remember', { text: 'x' })).toEqual({
    text: 'The memory of this agent is off.',
    isError: true,
  });
});

it('stops an answer that nobody waits for any more', async () => {
  at.provider.behave({ mode: 'silence', after: 1 });
  const gone = new AbortController();
  const headers = {
    authorization: `Bearer ${who.apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const params = { name: 'ask', arguments: { message: 'Tell me everything.' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const asked = fetch(`${at.url}/mcp/nora`, { method: 'POST', headers, body, signal: gone.signal });
  const ended = asked.then((response) => response.text()).catch(() => 'gone');
  await eventually(() => expect(at.provider.requests).toHaveLength(1));
  gone.abort();
  expect(await ended).toBe('gone');
  await eventually(() => expect(at.provider.requests[0]?.closedEarly).toBe(true));
});

it('refuses what is not the protocol with 400, and other methods with 405', async () => {
  const headers = { authorization: `Bearer ${who.apiKey}`, accept: 'application/json, text/event-stream' };
  for (const body of ['{', '7', '{"jsonrpc":"1.0"}', '[]x']) {
    const answer = await at.app.request('POST', '/mcp/nora', { headers, body });
    expect([body, answer.status, answer.body.error.code]).toEqual([body, 400, 'invalid_input']);
  }
  expect((await at.app.request('GET', '/mcp/nora', { headers })).status).toBe(405);
  const large = await at.app.request('POST', '/mcp/nora', { headers, body: 'x'.repeat(2 * 1024 * 1024 + 1) });
  expect(large.status).toBe(413);
});

it('counts every message of a batch, and takes no more than twenty', async () => {
  const bounded = await testApp({ env: { ACCOUNT_BOUNDS: '1' } });
  const { apiKey } = await proWithKey(bounded);
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json, text/event-stream' };
  const ask = (count: number) => {
    const body = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    return bounded.request('POST', '/mcp/nora', { headers, body });
  };
  expect((await ask(21)).status).toBe(400);
  const statuses: number[] = [];
  for (let i = 0; i < 5; i += 1) statuses.push((await ask(20)).status);
  expect(statuses.at(-1), 'a key may call 60 times in a short time').toBe(429);
  await bounded.close();
});
