// Learns the weights of memory's ranking and prints them for server/src/features/memory/index/weights.ts.
//   node bench/learn-memory.ts --data FILE [--ablation]
// The ablation leaves out each signal, learns again, and measures each conversation with weights from the others: some minutes.
import { parseArgs } from 'node:util';
import { SIGNALS } from '../server/src/features/memory/index/signals.ts';
import { readConversations } from './conversations.ts';
import { learn } from './learning.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { type Measured, mean } from './memory-recall.ts';
import { samplesOf } from './memory-signals.ts';

const { values } = parseArgs({ options: { data: { type: 'string' }, ablation: { type: 'boolean', default: false } } });
if (values.data === undefined) throw new Error('--data FILE: conversations in the format of LoCoMo');
const conversations = readConversations(values.data);

const recalls = (measured: Measured[]) => [5, 10, 20].map((k) => mean(measured, k === 5 ? 5 : k === 10 ? 10 : 20));
const shown = (numbers: number[]) => numbers.map((n) => n.toFixed(2).padStart(8)).join('');
const outside = (without?: ReadonlySet<number>) =>
  recalls(leaveOneOut(conversations, without).flatMap((one) => one.measured));

const weights = learn(conversations.flatMap(samplesOf));
for (const [s, name] of SIGNALS.entries()) console.log(`  ${name}: ${(weights[s] ?? 0).toFixed(2)},`);
const whole = outside();
console.log(`\nrecall@5, @10, @20, one conversation left out in turn:${shown(whole)}`);
if (values.ablation) {
  for (const [s, name] of SIGNALS.entries()) {
    const left = outside(new Set([s]));
    console.log(`without ${name.padEnd(16)}${shown(left)}  ${shown(left.map((n, i) => n - (whole[i] ?? 0)))}`);
  }
}
