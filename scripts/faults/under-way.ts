import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { formOf } from '../../server/src/testing/requests.ts';
import type { Scene } from './scene.ts';
import { msUntil } from './writer.ts';

// What was under way when something broke: files being read, background work, a program's request, another process's answers.

const FILES = 16;
const LEASE_MS = 3_000;
const files = z.object({ files: z.array(z.object({ state: z.string() })) });
const facts = z.object({ facts: z.array(z.object({ text: z.string() })) });
const asked = z.object({ task: z.object({ status: z.string() }) });

/** Files are read while the database's connections are cut seven times; each is ready soon after, and none failed. */
export async function readersCut(scene: Scene): Promise<string> {
  const [writer] = scene.writers;
  const add = async (at: number) => {
    const body = formOf(`log-${at}.txt`, `Line ${at} of the log.\n`.repeat(2_000));
    const isAdded = async () => (await writer.send('POST', '/api/agents/talker/files', body)).status === 201;
    while (!(await isAdded().catch(() => false))) await pause(100);
  };
  const adding = Promise.all(Array.from({ length: FILES }, (_, at) => add(at)));
  for (let turn = 0; turn < 7; turn += 1) {
    await pause(300);
    await scene.postgres?.terminateAll();
  }
  await adding;
  let states: string[] = [];
  const areReady = async () => {
    const answer = await writer.send('GET', '/api/agents/talker/files?limit=100');
    states = files.parse(await answer.json()).files.map(({ state }) => state);
    return states.every((state) => state === 'ready');
  };
  const ms = await msUntil(areReady, 90_000, () => `files are ${states.join(', ')}`);
  return `${states.length} files read ${ms} ms after`;
}

const STATEMENTS = ['I live in Faro.', 'My dog is called Rex.', 'I work as a potter.', 'My sister is called Maria.'];

/** The process is killed as soon as messages are answered: the facts in them are still known, and soon. */
export async function killedBeforeFacts({ server, writers }: Scene): Promise<string> {
  await Promise.all(writers.map((writer, at) => writer.converse(STATEMENTS[at % STATEMENTS.length] ?? '')));
  await server.end('SIGKILL');
  await server.revive();
  let known: number[] = [];
  const areKnown = async () => {
    const answers = await Promise.all(writers.map(async (writer) => (await writer.send('GET', '/api/facts')).json()));
    known = answers.map((answer) => facts.parse(answer).facts.length);
    return known.every((count) => count > 0);
  };
  const ms = await msUntil(areKnown, 200_000, () => `known of each person: ${known.join(', ')}`);
  return `each person’s fact known ${ms} ms after the start`;
}

/** A program asks, the process dies, the program asks the same again: it is told how its request ended. */
export async function askedAcrossCrash({ server, provider, writers: [writer] }: Scene): Promise<string> {
  const sessionId = await writer.openSession();
  const key = randomUUID();
  const ask = () =>
    writer.send('POST', '/api/runAgentTask', { sessionId, agentId: 'talker', inputText: 'across a crash' }, key);
  provider.behave({ heldAfter: [2] });
  const unanswered = ask().catch(() => null);
  await pause(1_000);
  await server.end('SIGKILL');
  await unanswered;
  provider.reset();
  await server.revive();
  let answers: string[] = [];
  const isTold = async () => {
    const answer = await ask();
    answers = [...answers, `${answer.status} with Retry-After ${answer.headers.get('retry-after') ?? 'unset'}`];
    return answer.status === 200 && asked.parse(await answer.json()).task.status === 'interrupted';
  };
  const ms = await msUntil(isTold, 20_000, () => answers.join(', '));
  return `200, interrupted, ${ms} ms after the start`;
}

/** Of two processes one stands still for half a lease, three times: the other takes none of its answers away. */
export async function frozen({ server, provider, writers }: Scene): Promise<string> {
  const other = await server.startBeside();
  try {
    provider.behave({ deltas: 40, delayMs: 100 });
    for (let turn = 0; turn < 3; turn += 1) {
      await pause(LEASE_MS);
      server.signal('SIGSTOP');
      await pause(LEASE_MS / 2);
      server.signal('SIGCONT');
    }
    await pause(2 * LEASE_MS);
    const tasks = (await Promise.all(writers.map((writer) => writer.tasks()))).flat();
    const lost = tasks.filter(({ status }) => status === 'interrupted').length;
    if (lost > 0) throw new Error(`${lost} of ${tasks.length} answers were given up`);
    return `none of ${tasks.length} answers given up`;
  } finally {
    provider.reset();
    await other.end('SIGKILL');
  }
}
