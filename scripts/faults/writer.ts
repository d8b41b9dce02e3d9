import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isInFlight, type TaskStatus, taskStatus } from '@atelier/contract/runs';
import { z } from 'zod';
import { cookieOf } from '../../server/src/testing/harness.ts';
import { requestOf } from '../../server/src/testing/requests.ts';
import type { Server } from './server.ts';

const RETRY_MS = 200;
const REQUEST_MS = 60_000;
const page = z.object({ nextCursor: z.string().nullable() });
const agentsPage = page.extend({ agents: z.array(z.object({ name: z.string(), prompt: z.string() })) });
const tasksPage = page.extend({
  tasks: z.array(z.object({ id: z.string(), inputText: z.string(), status: taskStatus })),
});

export interface Findings {
  lost: number;
  doubled: number;
  stuck: number;
  acknowledged: number;
}

const unanswered = ({ status }: { status: TaskStatus }) => isInFlight(status);
const twice = (all: string[]) => all.length - new Set(all).size;

/** One account that writes continuously, remembers what was acknowledged and, like a browser, retries what was not. */
export class Writer {
  cookie = '';
  readonly url: string;
  #tasksPath = '';
  #stopped = false;
  readonly #agents = new Set<string>();
  readonly #messages = new Set<string>();
  /** The versions of the talker's prompt. One that was sent and not answered may be there or not. */
  readonly #version = { sent: 0, acknowledged: 0 };

  /** Signs up, with Pro, an agent and a session. */
  static async start(server: Server): Promise<Writer> {
    const writer = new Writer(server.url);
    const person = { name: 'Writer', email: `${randomUUID()}@example.com`, password: randomUUID() };
    const { headers } = await writer.send('POST', '/api/auth/sign-up/email', person);
    writer.cookie = cookieOf(headers);
    await server.grantPro(person.email);
    await writer.send('POST', '/api/agents', { name: 'Talker', prompt: '0' });
    writer.#tasksPath = `/api/sessions/${await writer.openSession()}/tasks`;
    return writer;
  }

  async openSession(): Promise<string> {
    const opened = await this.send('POST', '/api/sessions', { agentId: 'talker' });
    return z.object({ session: z.object({ id: z.string() }) }).parse(await opened.json()).session.id;
  }

  /** Sends a message to a session of its own, and waits for the answer. */
  async converse(inputText: string): Promise<void> {
    const sessionId = await this.openSession();
    const answer = await this.send('POST', '/api/runAgentTask', { sessionId, agentId: 'talker', inputText });
    if (!answer.ok) throw new Error(`“${inputText}” got ${answer.status}`);
    await answer.body?.cancel();
  }

  constructor(url: string) {
    this.url = url;
  }

  send(method: string, path: string, body?: unknown, key?: string): Promise<Response> {
    const init = requestOf(this.url, this.cookie, method, body);
    if (key !== undefined) init.headers['idempotency-key'] = key;
    return fetch(`${this.url}${path}`, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
  }

  /** Retries until an answer is final: after 503, 409 (the session still answers) and no answer. */
  async #insist(attempt: () => Promise<Response>, isFinal: (status: number) => boolean): Promise<void> {
    while (!this.#stopped) {
      const answer = await attempt().catch(() => null);
      await answer?.body?.cancel().catch(() => {});
      if (answer !== null && isFinal(answer.status)) return;
      await pause(RETRY_MS);
    }
  }

  async write(): Promise<void> {
    for (let count = 1; !this.#stopped; count += 1) {
      const name = `agent-${count}`;
      const make = () => this.send('POST', '/api/agents', { name, prompt: 'Be kind.' });
      await this.#insist(make, (status) => {
        // 409: an earlier, unanswered attempt had succeeded.
        if (status !== 201 && status !== 409) return false;
        this.#agents.add(name);
        return true;
      });
      this.#version.sent = count;
      const change = () => this.send('PUT', '/api/agents/talker', { prompt: String(count) });
      await this.#insist(change, (status) => {
        if (status === 200) this.#version.acknowledged = count;
        return status === 200;
      });
      const inputText = `message ${count}`;
      const key = randomUUID();
      const say = () => this.send('POST', this.#tasksPath, { agentId: 'talker', inputText }, key);
      await this.#insist(say, (status) => {
        if (status === 202) this.#messages.add(inputText);
        return status === 202;
      });
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async #all<T extends { nextCursor: string | null }>(path: string, schema: z.ZodType<T>): Promise<T[]> {
    const pages: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      pages.push(schema.parse(await (await this.send('GET', `${path}?limit=100${query}`)).json()));
    }
    return pages;
  }

  tasks = async () => (await this.#all(this.#tasksPath, tasksPage)).flatMap(({ tasks }) => tasks);

  /** Compares what was acknowledged with what is there, once nothing runs any more or `graceMs` have passed. */
  async verify(graceMs: number): Promise<Findings> {
    const until = Date.now() + graceMs;
    let tasks = await this.tasks();
    while (tasks.some(unanswered) && Date.now() < until) {
      await pause(250);
      tasks = await this.tasks();
    }
    const texts = tasks.map(({ inputText }) => inputText);
    const agents = (await this.#all('/api/agents', agentsPage)).flatMap((one) => one.agents);
    const names = agents.map(({ name }) => name);
    const version = Number(agents.find(({ name }) => name === 'Talker')?.prompt);
    const { sent, acknowledged } = this.#version;
    const last = () => this.send('POST', this.#tasksPath, { agentId: 'talker', inputText: 'the last' }, 'the last');
    let status = (await last()).status;
    // The rate limit of an account is not being stuck.
    for (; status !== 202 && Date.now() < until + graceMs; status = (await last()).status) await pause(1_000);
    const lost = [
      ...[...this.#messages].filter((text) => !texts.includes(text)),
      ...[...this.#agents].filter((name) => !names.includes(name)),
      ...(version >= acknowledged && version <= sent ? [] : [`version ${acknowledged}`]),
    ];
    return {
      lost: lost.length,
      doubled: twice(texts) + twice(names),
      stuck: tasks.filter(unanswered).length + (status === 202 ? 0 : 1),
      acknowledged: this.#messages.size + this.#agents.size + acknowledged,
    };
  }
}

/** Milliseconds until `isDone`; throws with what was left after `withinMs`. */
export async function msUntil(isDone: () => Promise<boolean>, withinMs: number, left: () => string) {
  const since = Date.now();
  while (!(await isDone().catch(() => false))) {
    if (Date.now() - since > withinMs) throw new Error(`after ${withinMs / 1000} s ${left()}`);
    await pause(50);
  }
  return Date.now() - since;
}

/** A live stream, as a browser opens it; counts its events. */
export async function openStream(writer: Writer) {
  const controller = new AbortController();
  const answer = await fetch(`${writer.url}/api/live`, {
    headers: { cookie: writer.cookie },
    signal: controller.signal,
  });
  let text = '';
  const read = async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  const over = read().catch(() => {});
  return {
    status: answer.status,
    hears: (words: string) => text.includes(words),
    hellos: () => text.split('event: hello').length - 1,
    async close() {
      controller.abort();
      await over;
    },
  };
}
