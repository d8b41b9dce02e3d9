// How much of the evidence memory finds, in percent, with the product's own remember and recall, beside plain BM25 over the same units.
//   npm run bench:memory -- [--data FILE,FILE…] [--leave-one-set-out] [--embeddings made|FILE] [--json]
// Every file is a set; where a person talks with an agent at length, the same talk is asked once more in flow: the person's long message
// is the query, and what was said before in its session is the evidence. With --leave-one-set-out, each set is also measured with weights
// that were learned without its file. With --embeddings, also by meaning: `made` by the tests' embedder, or recorded from a real model by
// bench/record-embeddings.ts.
import type { Database } from '../server/src/platform/database/database.ts';
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { type DataSet, readFamilies } from './conversations.ts';
import { leaveOneSetOut } from './learning.ts';
import { madeEmbed, measureRanking, readRecorded } from './memory-meaning.ts';
import { CUTS, type Measured, mean, measure, measurePlain } from './memory-recall.ts';
import { type Figure, readOptions, report } from './report.ts';

const OWN = ['own', 'everyday'].map((name) => new URL(`conversations/${name}.json`, import.meta.url).pathname);
const values = readOptions({ data: OWN.join(','), 'leave-one-set-out': false, embeddings: '' });

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
  const all: Measured[] = [];
  for (const conversation of set.conversations) all.push(...(await measure(database, conversation)));
  return all;
}

const families = readFamilies(values.data.split(','));
const left = new Map(
  values['leave-one-set-out'] ? leaveOneSetOut(families).map(({ name, measured }) => [name, measured]) : [],
);
const embed = values.embeddings === 'made' ? madeEmbed : values.embeddings && readRecorded(values.embeddings).embed;
const { database } = await openInMemory();
const figures: Figure[] = [];
for (const set of families.flatMap(({ sets }) => sets)) {
  const floor = plain(set);
  const others = {
    'set left out': left.get(set.name),
    'with embeddings': embed ? measureRanking(set, embed) : undefined,
  };
  const found = await ours(database, set);
  for (const k of CUTS) {
    const what = `${set.name}, ${found.length} questions, recall@${k}`;
    figures.push({ what, unit: '%', floor: mean(floor, k), ours: mean(found, k) });
    for (const [on, measured] of Object.entries(others)) {
      if (measured !== undefined) figures.push({ what, on, unit: '%', ours: mean(measured, k) });
    }
  }
}
await database.close();
for (const k of CUTS) {
  const own = figures.filter(({ what, on }) => on === undefined && what.endsWith(`@${k}`));
  const meanOf = (key: 'floor' | 'ours') => own.reduce((sum, figure) => sum + (figure[key] ?? 0), 0) / own.length;
  figures.push({ what: `mean over sets, recall@${k}`, unit: '%', floor: meanOf('floor'), ours: meanOf('ours') });
}
report('how much of the evidence memory finds, beside plain BM25', figures);
