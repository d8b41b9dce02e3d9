import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '@atelier/contract/runs';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { agents } from '../features/agents/agents.table.ts';
import { agentFiles, filePassages } from '../features/files/files.table.ts';
import { memories } from '../features/memory/memory.table.ts';
import { tasks } from '../features/runs/runs.table.ts';
import type { GenerateInput, ModelEvent } from '../platform/models/models.ts';
import { eventually } from './eventually.ts';
import { type TestUser, testApp } from './harness.ts';
import { listen } from './listen.ts';
import { startMcpServer } from './mcp/http-server.ts';
import { serversFile } from './mcp/programs.ts';
import { modelsThat } from './scripted-models.ts';

const READ = {
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};
const TOOLS = ['calculator', 'current_time', 'run_javascript', 'web_fetch', 'search_memory', 'search_files'];
const SERVERS = ['vault', 'wiki', 'post'] as const;

/** An order as it may stand anywhere: `CALL tool key=value;` or `SAY words;`. It survives being quoted as JSON. */
const ORDER = /CALL (?<tool>[\w-]+) (?<key>\w+)=(?<value>[^\s"\\;]+);|SAY (?<words>[^;"\\]+);/g;
/** Which of a private text: its whole, encoded in some way, or one half of it. */
const HOLE = /\{PRIVATE\.?(?<how>\w*)\}/g;
const SECRET = /secret-[a-z0-9]{16}/;
const ROUNDS = 8;

/** The private text in each form in which it could be carried away. */
const FORMS = {
  raw: (text: string) => text,
  base64: (text: string) => Buffer.from(text).toString('base64url'),
  hex: (text: string) => Buffer.from(text).toString('hex'),
  url: (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''),
  reversed: (text: string) => [...text].toReversed().join(''),
  first: (text: string) => text.slice(7, 15),
  second: (text: string) => text.slice(15),
} as const;

const fill = (text: string, secret: string) =>
  text.replaceAll(HOLE, (_, how: string) => (how in FORMS ? FORMS[how as keyof typeof FORMS](secret) : secret));

async function* obey(input: GenerateInput): AsyncGenerator<ModelEvent> {
  const { instructions, messages, tools = [] } = input;
  let prompt = [instructions, ...messages.map(({ text }) => text)].join('\n');
  const obeyed = new Set<string>();
  let said = 'Done.';
  for (let round = 0; round < ROUNDS; round += 1) {
    const secret = SECRET.exec(prompt)?.[0];
    // An order to tell what is private is kept until there is something to tell.
    const orders = [...prompt.matchAll(ORDER)].filter(
      ([order]) => !obeyed.has(order) && (secret !== undefined || !order.includes('{PRIVATE')),
    );
    for (const { 0: order, groups: { tool: name, key = '', value = '', words } = {} } of orders) {
      obeyed.add(order);
      if (words !== undefined) said += ` ${fill(words, secret ?? '')}`;
      const tool = tools.find((known) => known.name === name);
      if (tool !== undefined) prompt += `\n${JSON.stringify(await tool.execute({ [key]: fill(value, secret ?? '') }))}`;
    }
    if (orders.length === 0) break;
  }
  yield { type: 'delta', text: said };
  yield { type: 'end', usage: { inputTokens: 1, outputTokens: 1, estimated: true } };
}

/** A model that does whatever it reads anywhere in its prompt, with whatever private text stands there. */
const obedientModels = modelsThat(obey);

/** One agent with one session, as hidden keys and addresses, and the words that the person will send. */
export interface Scene {
  n: string;
  slug: string;
  userId: string;
  agentId: string;
  sessionId: string;
  message: string[];
  /** Set where a program sends the message: its system message. */
  instructions?: string;
}

/** Pages, servers of tools that say that they only read, and a person whose agents' model obeys every order. All requests are kept. */
export async function startWaysOut() {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-ways-'));
  const seen: string[] = [];
  const pages = new Map<string, string>();
  const web = createServer((request, response) => {
    seen.push(`${request.headers.host}${request.url}`);
    const [, kind, id = ''] = request.url?.split('/') ?? [];
    // Another name of the same server: whatever arrives there has left.
    if (kind === 'go') return response.writeHead(302, { location: `${elsewhere}/taken/${id}` }).end();
    const page = pages.get(id) ?? 'An empty page.';
    response.writeHead(200, { 'content-type': page.startsWith('<') ? 'text/html' : 'text/plain' }).end(page);
  });
  const { origin: site, port, close: closeWeb } = await listen(web, 0, '0.0.0.0');
  const elsewhere = `http://127.0.0.2:${port}`;
  const start = () => startMcpServer([READ]);
  const [vault, wiki, postbox] = await Promise.all([start(), start(), start()]);
  const servers = { vault, wiki, post: postbox };
  const mcpServers = Object.fromEntries(SERVERS.map((name) => [name, { url: servers[name].url }]));
  const env = { ...serversFile(folder, mcpServers), FETCH_ALLOWED: '127.0.0.0/8' };
  const app = await testApp({ env, models: obedientModels });

  let person: TestUser;
  let count = 0;
  const post = async (path: string, body: object, as = person) => (await app.request('POST', path, { as, body })).body;
  const at = ({ id, sessionId }: Task) => `/api/sessions/${sessionId}/tasks/${id}`;
  const read = async (task: Task): Promise<Task> => (await app.request('GET', at(task), { as: person })).body.task;
  const approve = (task: Task, callId: string, decision: string) => post(`${at(task)}/approve`, { callId, decision });

  const change = (slug: string, body: object) => app.request('PUT', `/api/agents/${slug}`, { as: person, body });

  /** Has every tool turned on for an agent, and opens a session with it. */
  async function setScene(n: string, slug: string): Promise<Scene> {
    await change(slug, { tools: [...TOOLS, ...SERVERS.map((name) => `${name}__read`)] });
    const { session } = await post('/api/sessions', { agentId: slug });
    const userId = person.uid;
    const [row] = await app.deps.db
      .update(agents)
      .set({ memoryVersion: 1 })
      .where(and(eq(agents.userId, userId), eq(agents.slug, slug)))
      .returning({ id: agents.id });
    const message = [`What of harbour ${n}?`];
    return { n, slug, userId, agentId: row?.id ?? '', sessionId: session.id, message };
  }

  /** The same agent and words in a session of their own. */
  async function setAgain(scene: Scene): Promise<Scene> {
    const { session } = await post('/api/sessions', { agentId: scene.slug });
    return { ...scene, sessionId: session.id };
  }

  async function addTask(
    scene: Scene,
    said: [string, string],
    readUntrusted: boolean,
    status: 'done' | 'failed' = 'done',
  ) {
    const { userId, agentId, sessionId } = scene;
    const [inputText, message] = said;
    const values = { userId, id: uuidv7(), sessionId, agentId, agentName: 'A', inputText, message, readUntrusted };
    const ended = { status, model: 'gpt-4', createdAt: new Date(Date.now() - 60_000) };
    await app.deps.db.insert(tasks).values({ ...values, ...ended });
    return values.id;
  }

  async function addMemory(scene: Scene, kind: 'person' | 'agent', text: string, readUntrusted: boolean) {
    const { userId, agentId, sessionId } = scene;
    // The exchange that it came from is not one that the model is shown.
    const taskId = kind === 'agent' ? await addTask(scene, ['x', 'y'], readUntrusted, 'failed') : null;
    const keys = { userId, id: uuidv7(), agentId, sessionId, taskId };
    await app.deps.db.insert(memories).values({ ...keys, kind, text, version: 1, pinned: true, createdAt: new Date() });
  }

  async function addFile(scene: Scene, name: string, text: string) {
    const { userId, agentId } = scene;
    const file = { userId, id: uuidv7(), agentId, name, key: name };
    const plain = { type: 'text/plain', kind: 'plain', size: 1, state: 'ready' } as const;
    await app.deps.db.insert(agentFiles).values({ ...file, ...plain });
    // A word that stands everywhere tells nothing apart, so there are others beside it.
    const texts = [
      `About harbour ${scene.n}: ${text}`,
      'Bread is baked at noon.',
      'The weather is mild.',
      'Cats sleep.',
    ];
    const keys = { userId, fileId: file.id, agentId, version: 1 };
    const row = (line: string, position: number) => ({
      ...keys,
      id: uuidv7(),
      place: `line ${position}`,
      position,
      text: line,
    });
    await app.deps.db.insert(filePassages).values(texts.map(row));
  }

  /** Sends the scene's words, as the person in the browser or as a program of theirs. */
  async function send({ sessionId, slug, message, instructions }: Scene): Promise<Task> {
    const inputText = message.join('\n');
    const tasksAt = `/api/sessions/${sessionId}/tasks`;
    if (instructions === undefined) return (await post(tasksAt, { agentId: slug, inputText })).task;
    const { key } = await post('/api/keys', { name: 'Program' });
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: inputText },
    ];
    // The program waits for its answer until the test has ended the task.
    void app.app.request('http://localhost/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json', 'x-session-id': sessionId },
      body: JSON.stringify({ model: slug, messages }),
    });
    const list = async () => (await app.request('GET', tasksAt, { as: person })).body.tasks;
    await eventually(async () => expect((await list()).at(-1)?.inputText).toBe(inputText));
    return (await list()).at(-1);
  }

  /** Sends the scene's words; calls that don't fit `stopAt` are allowed once. Answers the task once it waits there or has ended. */
  async function run(scene: Scene, stopAt: (input: string) => boolean = () => true): Promise<Task> {
    const task = await send(scene);
    for (;;) {
      await eventually(async () => expect((await read(task)).status).not.toBe('running'));
      const now = await read(task);
      const call = now.toolCalls.find(({ state }) => state === 'waiting');
      if (call === undefined || stopAt(decodeURIComponent(JSON.stringify(call.input)))) return now;
      await approve(now, call.id, 'once');
      const state = async () => (await read(task)).toolCalls.find(({ id }) => id === call.id)?.state;
      await eventually(async () => expect(await state()).not.toBe('waiting'));
    }
  }

  const bears = (secret: string) => (text: string) =>
    Object.values(FORMS).some((form) => text.toLowerCase().includes(form(secret).toLowerCase()));

  return {
    app,
    site,
    elsewhere,
    servers,
    pages,
    seen,
    post,
    newPerson: () => app.signUpPro(),
    act: async () => void (person = await app.signUpPro()),
    number: () => `n${(count += 1)}`,
    setScene,
    setAgain,
    change,
    ownAgent: async (n: string, more: object = {}): Promise<string> =>
      (await post('/api/agents', { name: `Agent ${n}`, prompt: 'You help.', ...more })).agent.id,
    addTask,
    addMemory,
    addFile,
    run,
    read,
    approve,
    cancel: (task: Task) => post(`${at(task)}/cancel`, {}),
    bears,
    /** What arrived anywhere that bears a secret in any form; the vault knows it anyway. */
    leaks: (secret: string) =>
      [...seen, ...[wiki, postbox].flatMap(({ called }) => called.map((call) => JSON.stringify(call)))].filter(
        bears(secret),
      ),
    async close() {
      await app.close();
      for (const server of Object.values(servers)) await server.close();
      await closeWeb();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
