// How often the rules see that a person's later statement replaces an earlier one, on pairs written for this project.
//   node scripts/run.mjs bench/contradictions.ts [--verbose] [--json]
import { parseArgs } from 'node:util';
import { judge, readPairs } from './contradictions/pairs.ts';

const { values } = parseArgs({
  options: { verbose: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const pairs = readPairs();
const parts = { development: judge(pairs.development), 'held out': judge(pairs.heldOut) };
console.table(
  Object.entries(parts).map(([part, { supersede, right, keep, wrong }]) => ({
    part,
    supersede,
    right,
    'look-alikes': keep,
    false: wrong,
  })),
);
if (values.verbose) for (const [part, { mistakes }] of Object.entries(parts)) console.log(part, mistakes);
const sum = (key: 'right' | 'wrong') => parts.development[key] + parts['held out'][key];
if (values.json) console.log(JSON.stringify({ contradictions: { right: sum('right'), false: sum('wrong') } }));
