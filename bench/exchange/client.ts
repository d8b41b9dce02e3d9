import { Agent, type IncomingMessage, request } from 'node:http';
import { performance } from 'node:perf_hooks';
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

function send(url: string, { method = 'GET', body, headers = {} }: Asked): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((done, failed) => {
    const asked = request(url, { agent, method, headers: { ...headers, ...type } }, done);
    asked.on('error', failed);
    asked.end(text);
  });
}

/** Reads an answer to its end; `onText` gets all of it so far. Throws for another status than 2xx. */
async function read(answer: IncomingMessage, onText: (soFar: string) => void = () => {}): Promise<string> {
  let soFar = '';
  answer.setEncoding('utf8');
  for await (const piece of answer) {
    soFar += piece;
    onText(soFar);
  }
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299) throw new Error(`${status} ${soFar.slice(0, 500)}`);
  return soFar;
}

/** Notices when `pattern` is first in a growing text. */
function firstSight(start: number, pattern: RegExp) {
  let first: number | undefined;
  return {
    look: (soFar: string) => {
      if (first === undefined && pattern.test(soFar)) first = performance.now() - start;
    },
    end: (text: string): Timing => {
      if (first === undefined) throw new Error(`no word came: ${text.slice(0, 1_500)}`);
      return { first, total: performance.now() - start };
    },
  };
}

/** The provider's own answer: the floor. */
export async function askProvider(url: string, inputText: string): Promise<Timing> {
  const start = performance.now();
  const sight = firstSight(start, /"content":"[^"]/u);
  const body = { model: 'gpt-4', stream: true, messages: [{ role: 'user', content: inputText }] };
  const answer = await send(`${url}/chat/completions`, { method: 'POST', body });
  return sight.end(await read(answer, sight.look));
}

/** A signed-in person's session with an agent. */
export interface Account {
  url: string;
  cookie: string;
  agentId: string;
  sessionId: string;
}

/** Whether an answer's memories were still loading. */
export interface Exchange extends Timing {
  partial: boolean;
}

/** Sends a message and reads its answer to the end, in one request. */
export async function exchange(account: Account, inputText: string): Promise<Exchange> {
  const { url, cookie, agentId, sessionId } = account;
  const tasks = `${url}/api/sessions/${sessionId}/tasks`;
  const headers = { origin: url, cookie, accept: 'text/event-stream' };
  const start = performance.now();
  const sight = firstSight(start, /^event: (?:delta|done)$/mu);
  const events = await read(await send(tasks, { method: 'POST', body: { agentId, inputText }, headers }), sight.look);
  const timing = sight.end(events);
  if (!events.includes('"status":"done"')) throw new Error(`the answer failed: ${events.slice(-1_500)}`);
  return { ...timing, partial: events.includes('"memoryPartial":true') };
}

/** Milliseconds until everything is there that the page asks for when it opens a session: who is signed in, then the rest at once. */
export async function openSession({ url, cookie, sessionId }: Account): Promise<number> {
  const start = performance.now();
  const get = async (path: string) => read(await send(`${url}/api${path}`, { headers: { origin: url, cookie } }));
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
