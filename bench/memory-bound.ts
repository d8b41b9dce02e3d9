// How much memory the index takes: agents of 1,000 memories each are used in turn, in a cache with the product's bound. Compares the
// cache's own count with what the process really took after garbage collection.
//   node scripts/run.mjs bench/memory-bound.ts [--agents 500] [--json]
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { v7 as uuidv7 } from 'uuid';
import { createIndexCache } from '../server/src/features/memory/index/index-cache.ts';
import { INDEX_BYTES } from '../server/src/features/memory/index/worker-client.ts';
import { makeTexts } from './made-texts.ts';

const MEMORIES = 1_000;
const MB = 1024 * 1024;
const { values } = parseArgs({
  options: { agents: { type: 'string', default: '500' }, json: { type: 'boolean', default: false } },
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
function taken(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MB;
}

const texts = makeTexts(MEMORIES);
const cache = createIndexCache(INDEX_BYTES);
const before = taken();
const steps: Record<string, number>[] = [];
const agents = Number(values.agents);
for (let agent = 1; agent <= agents; agent += 1) {
  const rows = texts.map((text, i) => ({
    id: uuidv7(),
    sessionId: `${agent} ${Math.floor(i / 40)}`,
    kind: i % 2 === 0 ? ('person' as const) : ('agent' as const),
    speaker: null,
    // Each agent has different texts.
    text: `${text} ${agent}`,
    at: Date.UTC(2026, 0, 1) + i * 1_000,
    forgotten: false,
  }));
  cache.handle({ type: 'load', key: String(agent), version: 1, rows });
  cache.handle({ type: 'rank', key: String(agent), version: 1, text: 'Which train did we want to take?', limit: 24 });
  if (agent % 100 !== 0 && agent !== agents) continue;
  steps.push({
    'agents touched': agent,
    'indexes held': cache.keys().length,
    'counted MB': Number((cache.bytes() / MB).toFixed(1)),
    'really taken MB': Number((taken() - before).toFixed(1)),
  });
}
console.log(`the bound is ${INDEX_BYTES / MB} MB; ${MEMORIES} memories an agent`);
console.table(steps);
if (values.json) console.log(JSON.stringify({ indexBound: steps }));
