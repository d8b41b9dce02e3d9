// How long recall takes, with the product's own remember and recall on an embedded database in memory, compared with a floor in the same
// run: reading every memory that is already in this process and counting the words it shares with the question.
//   node scripts/run.mjs bench/memory-speed.ts [--sizes 1000,10000,100000] [--questions 500] [--json]
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryIndex } from '../server/src/features/memory/index/memory-index.ts';
import { createIndexClient } from '../server/src/features/memory/index/worker-client.ts';
import { recall, startMemory } from '../server/src/features/memory/memory.service.ts';
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { makeAgent, storeTexts, wordsOf } from './made-memories.ts';
import { makeQuestions, makeTexts } from './made-texts.ts';

const LIMIT = 8;
const WARM_UP = 1_000;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    questions: { type: 'string', default: '500' },
    json: { type: 'boolean', default: false },
  },
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** The floor: reads every text, ranks nothing well. */
function bruteForce(held: Set<string>[], question: string): number[] {
  const asked = wordsOf(question);
  const scored = held.map((words, at) => {
    let shared = 0;
    for (const word of asked) if (words.has(word)) shared += 1;
    return { at, shared };
  });
  return scored
    .sort((a, b) => b.shared - a.shared)
    .slice(0, LIMIT)
    .map(({ at }) => at);
}

async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** A quantile in milliseconds with two decimals. */
function quantile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
}

/** The mean time to add one more memory to an index of the others, in milliseconds. */
function timeAdding(texts: string[]): number {
  const index = new MemoryIndex();
  const add = (text: string, i: number) =>
    index.add({ id: String(i), sessionId: String(i % 50), kind: 'person', speaker: null, text, at: 0 });
  const last = Math.floor(texts.length * 0.9);
  for (const [i, text] of texts.slice(0, last).entries()) add(text, i);
  const start = performance.now();
  for (const [i, text] of texts.slice(last).entries()) add(text, last + i);
  return Number(((performance.now() - start) / (texts.length - last)).toFixed(3));
}

async function measureSize(size: number, questions: string[]) {
  const { database } = await openInMemory();
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  const place = await makeAgent(database);
  // The floor's texts are made again: a server does not keep them, and kept texts slow down garbage collection.
  const sessionId = await storeTexts(database, place, makeTexts(size));
  const ask = (text: string) => recall(ctx, { ...place, sessionId, scope: 'agent', text, limit: LIMIT });
  // As the server does when it starts.
  await startMemory(ctx);
  // Recall should not pay for the garbage of filling the database.
  collect();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const firstUse = await timed(() => ask(questions[0] ?? ''));
  const firstStall = delay.max / 1e6;
  for (const text of questions.slice(0, 20)) await ask(text);
  const early: number[] = [];
  for (const text of questions.slice(20, 220)) early.push(await timed(() => ask(text)));
  // Warm: the engine compiles the database's code in tiers, during the first thousand questions.
  for (let i = 0; i < WARM_UP; i += 1) await ask(questions[i % questions.length] ?? '');
  delay.reset();
  const warm: number[] = [];
  for (const text of questions) warm.push(await timed(() => ask(text)));
  delay.disable();
  const stall = delay.max / 1e6;
  const texts = makeTexts(size);
  const held = texts.map(wordsOf);
  const floor: number[] = [];
  for (const text of questions) floor.push(await timed(() => bruteForce(held, text)));
  await ctx.memoryIndex.stop();
  await database.close();
  return {
    memories: size,
    earlyP95: quantile(early, 0.95),
    p50: quantile(warm, 0.5),
    p95: quantile(warm, 0.95),
    firstUse: Number(firstUse.toFixed(0)),
    firstUseStall: Number(firstStall.toFixed(0)),
    stall: Number(stall.toFixed(0)),
    floorP50: quantile(floor, 0.5),
    floorP95: quantile(floor, 0.95),
    p95ToFloor: Number((quantile(warm, 0.95) / quantile(floor, 0.95)).toFixed(2)),
    addToIndex: timeAdding(texts),
  };
}

const questions = makeQuestions(Number(values.questions));
const results: Awaited<ReturnType<typeof measureSize>>[] = [];
for (const size of values.sizes.split(',').map(Number)) results.push(await measureSize(size, questions));
console.log(
  'milliseconds; early: questions 21 to 220 of a process, warm: after a thousand; stall is the longest time for which the serving thread did nothing else',
);
console.table(results);
if (values.json) console.log(JSON.stringify({ recallSpeed: results }));
