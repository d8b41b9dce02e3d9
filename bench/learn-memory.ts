// Learns the weights of memory's ranking from all the sets given and prints them for server/src/features/memory/index/weights.ts.
//   node scripts/run.mjs bench/learn-memory.ts --data FILE --data FILE … [--ablation]
// The ablation leaves out each signal, learns again, and measures each set with weights from the others: some minutes.
import { parseArgs } from 'node:util';
import { SIGNALS } from '../server/src/features/memory/index/signals.ts';
import { readFamilies } from './conversations.ts';
import { learn } from './learning.ts';
import { leaveOneSetOut, taught } from './leave-one-set-out.ts';
import { CUTS, mean } from './memory-recall.ts';
import { samplesOf } from './memory-signals.ts';

const { values } = parseArgs({
  options: { data: { type: 'string', multiple: true }, ablation: { type: 'boolean', default: false } },
});
if (values.data === undefined) throw new Error('--data FILE: conversations in the format of LoCoMo');
const families = readFamilies(values.data);

const weights = learn(taught(families.map(({ sets }) => sets.map(samplesOf))));
for (const [s, name] of SIGNALS.entries()) console.log(`  ${name}: ${(weights[s] ?? 0).toFixed(2)},`);

const outside = (without?: ReadonlySet<number>) =>
  leaveOneSetOut(families, without).map(({ name, measured }) => ({ name, cells: CUTS.map((k) => mean(measured, k)) }));
const whole = outside();
console.table(
  Object.fromEntries(whole.map(({ name, cells }) => [name, cells.map((cell) => cell.toFixed(1)).join(' ')])),
);
if (values.ablation) {
  const rows = SIGNALS.map((name, s) => {
    const change = outside(new Set([s])).map((set, at) => {
      const by = set.cells.map((cell, k) => (cell - (whole[at]?.cells[k] ?? 0)).toFixed(1));
      return [set.name, by.join(' ')];
    });
    return [`without ${name}`, Object.fromEntries(change)];
  });
  console.table(Object.fromEntries(rows));
}
