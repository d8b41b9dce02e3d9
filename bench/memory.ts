// How much of the evidence memory finds, with the product's own remember and recall, beside plain BM25 over the same units.
//   node scripts/run.mjs bench/memory.ts [--data FILE]… [--leave-one-set-out] [--embeddings made|FILE] [--json]
// Every file is a set; where a person talks with an agent at length, the same talk is asked once more in flow: the person's long message
// is the query, and what was said before in its session is the evidence. With --leave-one-set-out, each set is also measured with weights
// that were learned without its file. With --embeddings, also by meaning: `made` by the tests' embedder, or recorded from a real model by
// bench/record-embeddings.ts.
import { parseArgs } from 'node:util';
import type { Database } from '../server/src/platform/database/database.ts';
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { type DataSet, readFamilies } from './conversations.ts';
import { leaveOneSetOut } from './leave-one-set-out.ts';
import { madeEmbed, measureRanking, readRecorded } from './memory-meaning.ts';
import { CUTS, type Measured, mean, measure, measurePlain } from './memory-recall.ts';

const OWN = ['own', 'everyday'].map((name) => new URL(`conversations/${name}.json`, import.meta.url).pathname);

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: OWN },
    'leave-one-set-out': { type: 'boolean', default: false },
    embeddings: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

type Row = Record<'set' | 'retriever' | 'questions' | `@${(typeof CUTS)[number]}`, string | number>;

const recalls = (measured: Measured[]) => CUTS.map((k) => mean(measured, k));
const row = (set: string, retriever: string, questions: number, cells: number[]): Row => ({
  set,
  retriever,
  questions,
  ...(Object.fromEntries(CUTS.map((k, at) => [`@${k}`, Number((cells[at] ?? 0).toFixed(2))])) as Record<
    `@${(typeof CUTS)[number]}`,
    number
  >),
});

/** Plain BM25 with the settings that suit this set better. */
function plain({ conversations }: DataSet): Measured[] {
  const bySetting: Measured[][] = [];
  for (const conversation of conversations) {
    for (const [setting, measured] of measurePlain(conversation).entries()) {
      bySetting[setting] = [...(bySetting[setting] ?? []), ...measured];
    }
  }
  return bySetting.sort((a, b) => mean(b, 5) - mean(a, 5))[0] ?? [];
}

/** As the product recalls; what is asked along the way directly on the index, because each question has a memory of its own. */
async function ours(database: Database, set: DataSet): Promise<Measured[]> {
  if (set.along) return measureRanking(set);
  const { conversations } = set;
  const all: Measured[] = [];
  for (const conversation of conversations) all.push(...(await measure(database, conversation)));
  return all;
}

const families = readFamilies(values.data);
const left = new Map(
  values['leave-one-set-out'] ? leaveOneSetOut(families).map(({ name, measured }) => [name, measured]) : [],
);
const embed = values.embeddings === 'made' ? madeEmbed : values.embeddings && readRecorded(values.embeddings).embed;
const { database } = await openInMemory();
const rows: Row[] = [];
const whole: Record<string, number[][]> = {};
for (const set of families.flatMap(({ sets }) => sets)) {
  const retrievers = {
    'plain BM25': plain(set),
    ours: await ours(database, set),
    'ours, set left out': left.get(set.name),
    'ours, with embeddings': embed ? measureRanking(set, embed) : undefined,
  };
  for (const [name, measured] of Object.entries(retrievers)) {
    if (measured === undefined) continue;
    rows.push(row(set.name, name, measured.length, recalls(measured)));
    whole[name] = [...(whole[name] ?? []), recalls(measured)];
  }
}
await database.close();
for (const [name, cells] of Object.entries(whole)) {
  const means = CUTS.map((_, at) => cells.reduce((sum, one) => sum + (one[at] ?? 0), 0) / cells.length);
  rows.push(row('mean over sets', name, cells.length, means));
}
console.table(rows);
if (values.json) console.log(JSON.stringify({ recall: rows }));
