import { Agent, type IncomingMessage, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { TestUser } from '../../server/src/testing/harness.ts';
import { PAGE_SIZES } from '../../web/app/lib/page-sizes.ts';

/** Every connection is kept and used again, as browsers and API clients do. */
const agent = new Agent({ keepAlive: true });

export interface Timing {
  /** Milliseconds from the first request to the first word of the answer. */
  first: number;
  total: number;
}

interface Asked {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Reads an answer to its end, and notices when `pattern` is first in it. Throws for another status than 2xx, and where it never is. */
async function ask(url: string, { method = 'GET', body, headers = {} }: Asked, pattern = /^/u) {
  const start = performance.now();
  const json = body === undefined ? '' : JSON.stringify(body);
  const type =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
  const answer = await new Promise<IncomingMessage>((done, failed) => {
    request(url, { agent, method, headers: { ...headers, ...type } }, done)
      .on('error', failed)
      .end(json);
  });
  let text = '';
  let first: number | undefined;
  answer.setEncoding('utf8');
  for await (const piece of answer) {
    text += piece;
    if (first === undefined && pattern.test(text)) first = performance.now() - start;
  }
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299 || first === undefined) throw new Error(`${status} ${text.slice(0, 1_500)}`);
  return { text, first, total: performance.now() - start };
}

/** The provider's own answer: the floor. */
export function askProvider(url: string, inputText: string): Promise<Timing> {
  const body = { model: 'gpt-4', stream: true, messages: [{ role: 'user', content: inputText }] };
  return ask(`${url}/chat/completions`, { method: 'POST', body }, /"content":"[^"]/u);
}

/** A signed-in person's session with an agent. */
export interface Account extends TestUser {
  agentId: string;
  sessionId: string;
}

interface Server {
  address: string;
}

/** Whether an answer's memories were still loading. */
interface Exchange extends Timing {
  partial: boolean;
}

/** Sends a message and reads its answer to the end, in one request. */
export async function exchange({ address }: Server, account: Account, inputText: string): Promise<Exchange> {
  const { cookie, agentId, sessionId } = account;
  const tasks = `${address}/api/sessions/${sessionId}/tasks`;
  const headers = { origin: address, cookie, accept: 'text/event-stream' };
  const asked = { method: 'POST', body: { agentId, inputText }, headers };
  const { text, ...timing } = await ask(tasks, asked, /^event: (?:delta|done)$/mu);
  if (!text.includes('"status":"done"')) throw new Error(`the answer failed: ${text.slice(-1_500)}`);
  return { ...timing, partial: text.includes('"memoryPartial":true') };
}

/** Milliseconds until everything is there that the page asks for when it opens a session: who is signed in, then the rest at once. */
export async function openSession({ address }: Server, { cookie, sessionId }: Account): Promise<number> {
  const start = performance.now();
  const get = (path: string) => ask(`${address}/api${path}`, { headers: { origin: address, cookie } });
  await get('/auth/get-session');
  await Promise.all([
    get('/me'),
    get(`/agents?limit=${PAGE_SIZES.agents}`),
    get(`/sessions?limit=${PAGE_SIZES.sessions}`),
    get(`/sessions/${sessionId}/tasks?limit=${PAGE_SIZES.tasks}`),
  ]);
  return performance.now() - start;
}

/** Ends every kept connection, so that a server can stop. */
export const closeConnections = () => agent.destroy();
