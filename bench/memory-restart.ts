// How long an answer waits for its memories after a restart, with one agent's memories in the data folder, and how long until all of them
// are searched. Each start is a process of its own that opens the folder as the server does, rests for a second, and asks. Compared with
// the floor in the same process: reading the texts from the database and splitting them into words.
//   node scripts/run.mjs bench/memory-restart.ts [--memories 10000] [--starts 8] [--json]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createIndexClient } from '../server/src/features/memory/index/worker-client.ts';
import { recall, recallSoon, startMemory } from '../server/src/features/memory/memory.service.ts';
import { openEmbedded } from '../server/src/platform/database/pglite.ts';
import { silentLog } from '../server/src/platform/log.ts';
import { makeAgent, storeTexts, wordsOf } from './made-memories.ts';
import { makeQuestions, makeTexts } from './made-texts.ts';

const REST_MS = 1_000;
const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    starts: { type: 'string', default: '8' },
    /** One start on this folder. */
    folder: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

interface Start {
  firstUse: number;
  /** Whether only the newest memories were searched for it. */
  partial: boolean;
  /** Until all were searched. */
  whole: number;
  stall: number;
  floor: number;
}

const open = (folder: string) => openEmbedded(folder, silentLog);

async function fill(folder: string): Promise<void> {
  const { database } = await open(folder);
  await storeTexts(database, await makeAgent(database), makeTexts(Number(values.memories)));
  await database.close();
}

async function startOnce(folder: string): Promise<Start> {
  const { database } = await open(folder);
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  await startMemory(ctx);
  const { rows } = await database.executeSql(
    'select user_id, agent_id, id from chat_sessions order by id desc limit 1',
  );
  const [{ user_id: userId, agent_id: agentId, id: sessionId } = {}] = rows as Record<string, string>[];
  const place = { userId: userId ?? '', agentId: agentId ?? '', sessionId: sessionId ?? '', scope: 'agent' as const };
  const [text = ''] = makeQuestions(1);
  await setTimeout(REST_MS);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const asked = performance.now();
  const { partial } = await recallSoon(ctx, { ...place, text, limit: 8 });
  const firstUse = performance.now() - asked;
  await recall(ctx, { ...place, text, limit: 8 });
  const whole = performance.now() - asked;
  const stall = delay.max / 1e6;
  const read = performance.now();
  const { rows: texts } = await database.executeSql('select text from memories where agent_id = $1', [place.agentId]);
  for (const row of texts) wordsOf(String(row.text));
  const floor = performance.now() - read;
  await ctx.memoryIndex.stop();
  await database.close();
  return { firstUse, partial, whole, stall, floor };
}

if (values.folder !== undefined) {
  console.log(JSON.stringify(await startOnce(values.folder)));
} else {
  const root = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const folder = join(root, 'data');
  try {
    await fill(folder);
    const starts = Array.from({ length: Number(values.starts) }, (): Start => {
      const child = spawnSync(process.execPath, [import.meta.filename, '--folder', folder], { encoding: 'utf8' });
      if (child.status !== 0) throw new Error(child.stderr);
      return JSON.parse(child.stdout);
    });
    const of = (name: Exclude<keyof Start, 'partial'>) => starts.map((start) => start[name]).sort((a, b) => a - b);
    const median = (name: Exclude<keyof Start, 'partial'>) => of(name)[Math.floor(starts.length / 2)] ?? 0;
    const result = {
      memories: Number(values.memories),
      starts: starts.length,
      least: Math.round(of('firstUse')[0] ?? 0),
      median: Math.round(median('firstUse')),
      most: Math.round(of('firstUse').at(-1) ?? 0),
      partial: starts.filter(({ partial }) => partial).length,
      whole: Math.round(median('whole')),
      longestStall: Math.round(of('stall').at(-1) ?? 0),
      floor: Math.round(median('floor')),
      ratio: Number((median('firstUse') / median('floor')).toFixed(1)),
    };
    console.log('the first question after a restart, in milliseconds');
    console.table([result]);
    if (values.json) console.log(JSON.stringify({ restart: result }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
