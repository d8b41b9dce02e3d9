// How much of the evidence memory finds, in percent, with the product's own remember and recall, beside plain BM25 over the same units.
//   npm run bench:memory -- [--data FILE,FILE…] [--leave-one-set-out] [--embeddings made|FILE] [--json]
// Every file is a set; where a person talks with an agent at length, the same talk is asked once more in flow: the person's long message
// is the query, and what was said before in its session is the evidence. With --leave-one-set-out, each set is also measured with weights
// that were learned without its file. With --embeddings, also by meaning: `made` by the tests' embedder, or recorded from a real model.
//   … --data FILE,FILE… --learn          prints weights learned from all the sets, for server/src/features/memory/index/weights.ts
//   … --data FILE,FILE… --record FILE    records the embeddings of all texts and questions, from the provider that the environment names
import { writeFileSync } from 'node:fs';
import { readConfig } from '../server/src/config.ts';
import { SIGNALS } from '../server/src/features/memory/index/signals.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { createModels } from '../server/src/platform/models/create-models.ts';
import { type DataSet, readFamilies } from './conversations.ts';
import { learnFrom, leaveOneSetOut } from './learning.ts';
import { keyOf, madeEmbed, measureRanking, readRecorded } from './memory-ranking.ts';
import { CUTS, type Measured, mean, measure, measurePlain, partsOf } from './memory-recall.ts';
import { type Figure, readOptions, report } from './report.ts';

const OWN = ['own', 'everyday'].map((name) => new URL(`conversations/${name}.json`, import.meta.url).pathname);
const values = readOptions({
  data: OWN.join(','),
  'leave-one-set-out': false,
  embeddings: '',
  learn: false,
  record: '',
});
const BATCH = 64;

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
const sets = families.flatMap((family) => family.sets);

async function record(file: string): Promise<void> {
  const { embedder } = createModels(readConfig(process.env));
  if (embedder === null) throw new Error('Set OPENAI_API_KEY, or OPENAI_BASE_URL and EMBEDDING_MODEL.');
  const talks = sets.flatMap(({ conversations }) => conversations);
  const texts = [...new Set(talks.flatMap((one) => [...partsOf(one), ...one.questions].map(({ text }) => text)))];
  const vectors: Record<string, string> = {};
  for (let at = 0; at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    const made = await embedder.embed(batch, AbortSignal.timeout(60_000));
    for (const [i, text] of batch.entries()) vectors[keyOf(text)] = Buffer.from(made[i] ?? []).toString('base64');
  }
  writeFileSync(file, JSON.stringify({ model: embedder.space, vectors }));
}

if (values.record) await record(values.record);
if (values.learn) {
  const weights = learnFrom(families);
  for (const [s, name] of SIGNALS.entries()) console.log(`  ${name}: ${(weights[s] ?? 0).toFixed(2)},`);
}
if (values.record || values.learn) process.exit();

const left = new Map(
  values['leave-one-set-out'] ? leaveOneSetOut(families).map(({ name, measured }) => [name, measured]) : [],
);
const embed =
  values.embeddings === 'made' ? madeEmbed : values.embeddings ? readRecorded(values.embeddings) : undefined;
const { database } = await openInMemory();
const figures: Figure[] = [];
for (const set of sets) {
  const floor = plain(set);
  const others = {
    'set left out': left.get(set.name),
    'with embeddings': embed && measureRanking(set, { embed }),
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
