import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeEach, expect, it } from 'vitest';
import { proWithKey, startForPrograms } from '../../testing/programs.ts';
import { recordTokens, toEntry } from '../ledger/ledger.service.ts';

let who: Awaited<ReturnType<typeof proWithKey>>;
const REFUSAL =
  /^Your budget of 1,500 tokens a day has no room for another answer\. It opens again on \S+ at 00:00 UTC\.$/u;

const at = await startForPrograms({ BUDGET_RUN_TOKENS: '1000', BUDGET_ACCOUNT_DAY_TOKENS: '1500' });
beforeEach(async () => {
  who = await proWithKey(at.app);
  const use = { inputTokens: 600, outputTokens: 0, estimated: false };
  await recordTokens(at.app.deps, who.user.uid, [toEntry(at.app.deps.models, { purpose: 'answer', model: 'm' }, use)]);
});

it.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello?' }] }],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello?' }], stream: true }],
  ['/v1/responses', { input: 'Hello?' }],
])('a budget that is used up refuses a program at %s with a sentence and Retry-After', async (path, body) => {
  const headers = { authorization: `Bearer ${who.apiKey}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ model: 'nora', ...body }) };
  const answer = await fetch(`${at.url}${path}`, init);
  expect([answer.status, JSON.parse(await answer.text()).error.message]).toEqual([429, expect.stringMatching(REFUSAL)]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('and by MCP with the same sentence, as the tool’s error', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${who.apiKey}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${at.url}/mcp/nora`), { requestInit });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const { content, isError } = await client.callTool({ name: 'ask', arguments: { message: 'Hello?' } });
  await client.close();
  expect([isError, content]).toEqual([true, [{ type: 'text', text: expect.stringMatching(REFUSAL) }]]);
  expect(at.provider.requests).toEqual([]);
});
