// Learns the weights of memory's ranking from all the sets given and prints them for server/src/features/memory/index/weights.ts.
//   node scripts/run.mjs bench/learn-memory.ts --data FILE,FILE…
import { SIGNALS } from '../server/src/features/memory/index/signals.ts';
import { readFamilies } from './conversations.ts';
import { learn } from './learning.ts';
import { samplesOf } from './memory-signals.ts';
import { readOptions } from './report.ts';

const { data } = readOptions({ data: '' });
if (data === '') throw new Error('--data FILE,FILE…: conversations in the format of LoCoMo');
const weights = learn(readFamilies(data.split(',')).map(({ sets }) => sets.map(samplesOf)));
for (const [s, name] of SIGNALS.entries()) console.log(`  ${name}: ${(weights[s] ?? 0).toFixed(2)},`);
