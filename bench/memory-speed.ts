// How long recall takes with the product's own remember and recall, compared with a floor in the same process: reading every memory and
// counting the words it shares with the question. And how long an answer waits for its memories after a restart, and until all of them are
// searched: each start is a process of its own that opens the folder as the server does, rests for a second, and asks.
//   npm run bench:memory-speed -- [--sizes 1000,10000,100000] [--questions 500] [--starts 8] [--json]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { createIndexClient } from '../server/src/features/memory/index/worker-client.ts';
import { recall, recallSoon, remember, startMemory } from '../server/src/features/memory/memory.service.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import { openEmbedded, openInMemory } from '../server/src/platform/database/pglite.ts';
import { silentLog } from '../server/src/platform/log.ts';
import { makeQuestions, makeTexts } from './made-texts.ts';
import { type Figure, median, quantile, readOptions, report, timesOf } from './report.ts';

const REST_MS = 1_000;
const LIMIT = 8;
/** The engine compiles the database's code in tiers, during the first thousand questions. */
const WARM_UP = 1_000;
/** `folder` is for the processes that start: they measure one start on it. */
const values = readOptions({ sizes: '1000,10000,100000', questions: '500', starts: '8', folder: '' });
const questions = makeQuestions(Number(values.questions));

const TURNS_A_SESSION = 40;

interface Place {
  userId: string;
  agentId: string;
}

/** A user with an agent. */
async function makeAgent(database: Database): Promise<Place> {
  const place = { userId: uuidv7(), agentId: uuidv7() };
  await database.executeSql(`insert into "user" (id, name, email) values ($1, 'Bench', $1 || '@bench')`, [
    place.userId,
  ]);
  await database.executeSql(
    `insert into agents (user_id, id, slug, name, prompt, model, temperature, memory_enabled)
     values ($1, $2, 'bench', 'Bench', 'p', 'gpt-4', 0.5, true)`,
    [place.userId, place.agentId],
  );
  return place;
}

/** Stores texts in sessions of forty, and returns the last session. */
async function storeTexts(database: Database, place: Place, texts: string[]): Promise<string> {
  let sessionId = '';
  for (let i = 0; i < texts.length; i += TURNS_A_SESSION) {
    sessionId = uuidv7();
    const keys = { ...place, sessionId };
    await database.executeSql(`insert into chat_sessions (user_id, id, agent_id, name) values ($1, $2, $3, 'Bench')`, [
      keys.userId,
      sessionId,
      keys.agentId,
    ]);
    const entries = texts.slice(i, i + TURNS_A_SESSION).map((text, at) => {
      const kind = at % 2 === 0 ? ('person' as const) : ('agent' as const);
      return { ...keys, kind, text, timestamp: new Date(Date.UTC(2026, 0, 1) + (i + at) * 1_000) };
    });
    await database.db.transaction((tx) => remember(tx, entries));
  }
  return sessionId;
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The floor: reads every text, ranks nothing well. */
function bruteForce(held: Set<string>[], question: string) {
  const asked = wordsOf(question);
  return held
    .map((words, at) => ({ at, shared: [...asked].filter((word) => words.has(word)).length }))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, LIMIT);
}

async function warm(size: number): Promise<Figure[]> {
  const { database } = await openInMemory();
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  const place = await makeAgent(database);
  // The floor's texts are made again: a server does not keep them, and kept texts slow down garbage collection.
  const sessionId = await storeTexts(database, place, makeTexts(size));
  // As the server does when it starts.
  await startMemory(ctx);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const ask = (i: number) => {
    if (i === 0) delay.enable();
    const text = questions.at(i % questions.length) ?? '';
    return recall(ctx, { ...place, sessionId, scope: 'agent', text, limit: LIMIT });
  };
  const ours = await timesOf(ask, { rounds: questions.length, warmUp: WARM_UP });
  delay.disable();
  await ctx.memoryIndex.stop();
  await database.close();
  const held = makeTexts(size).map(wordsOf);
  const floor = await timesOf((i) => bruteForce(held, questions[i] ?? ''), { rounds: questions.length });
  const on = size.toLocaleString('en-US');
  return [
    { what: 'recall, median', on, unit: 'ms', floor: median(floor), ours: median(ours) },
    { what: 'recall, p95', on, unit: 'ms', floor: quantile(floor, 0.95), ours: quantile(ours, 0.95) },
    { what: 'longest stall of the serving thread', on, unit: 'ms', ours: delay.max / 1e6 },
  ];
}

interface Start {
  first: number;
  whole: number;
  stall: number;
  floor: number;
}

async function startOnce(folder: string): Promise<Start> {
  const { database } = await openEmbedded(folder, silentLog);
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  await startMemory(ctx);
  const { rows } = await database.executeSql(
    'select user_id, agent_id, id from chat_sessions order by id desc limit 1',
  );
  const [{ user_id: userId = '', agent_id: agentId = '', id: sessionId = '' } = {}] = rows as Record<string, string>[];
  const asked = { userId, agentId, sessionId, scope: 'agent' as const, text: questions[0] ?? '', limit: LIMIT };
  await setTimeout(REST_MS);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  await recallSoon(ctx, asked);
  const first = performance.now() - begun;
  await recall(ctx, asked);
  const whole = performance.now() - begun;
  const stall = delay.max / 1e6;
  const [floor = Number.NaN] = await timesOf(
    async () => {
      const { rows: texts } = await database.executeSql('select text from memories where agent_id = $1', [agentId]);
      for (const row of texts) wordsOf(String(row.text));
    },
    { rounds: 1 },
  );
  await ctx.memoryIndex.stop();
  await database.close();
  return { first, whole, stall, floor };
}

async function restart(size: number): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const folder = join(root, 'data');
  try {
    const { database } = await openEmbedded(folder, silentLog);
    await storeTexts(database, await makeAgent(database), makeTexts(size));
    await database.close();
    const starts = Array.from({ length: Number(values.starts) }, (): Start => {
      const child = spawnSync(process.execPath, [import.meta.filename, '--folder', folder], { encoding: 'utf8' });
      if (child.status !== 0) throw new Error(child.stderr);
      return JSON.parse(child.stdout);
    });
    const of = (name: keyof Start) => starts.map((start) => start[name]);
    const on = size.toLocaleString('en-US');
    const floor = median(of('floor'));
    return [
      { what: 'first question after a restart, median', on, unit: 'ms', floor, ours: median(of('first')) },
      { what: 'until all are searched, median', on, unit: 'ms', floor, ours: median(of('whole')) },
      { what: 'longest stall meanwhile', on, unit: 'ms', ours: Math.max(...of('stall')) },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

if (values.folder !== '') {
  console.log(JSON.stringify(await startOnce(values.folder)));
} else {
  const figures: Figure[] = [];
  for (const size of values.sizes.split(',').map(Number)) {
    figures.push(...(await warm(size)));
    if (size === 10_000) figures.push(...(await restart(size)));
  }
  report('recall by how many memories there are, beside reading every text', figures);
}
