// How much of the evidence memory finds, in percent, with the product's own remember and recall, beside plain BM25 over the same units: first
// the worst distance and the free parameters, then every set by passage (the turns that answer) and by session (where those turns stand).
//   npm run bench:memory -- [--data FILE,FILE…] [--judge FILE,FILE…] [--without SIGNAL] [--embeddings made|FILE] [--json]
// Every file is a set, its talks one memory where they are short; where a person talks with an agent at length, the same talk is asked once
// more in flow: the person's long message is the query, and what was said before in its session is the evidence. Each set is also measured
// with weights that were learned from the others. The files to judge by never teach.
//   … --data FILE,FILE… --learn          prints weights learned from all the sets, for server/src/features/memory/index/fuse.ts
//   … --without SIGNAL                   also without one of the signals
//   … --embeddings made|FILE             also by meaning: `made` by the tests' embedder, or recorded from a real model
//   … --data FILE,FILE… --record FILE    records the embeddings of all texts and questions, from the provider that the environment names
import { writeFileSync } from 'node:fs';
import { readConfig } from '../server/src/config.ts';
import { VECTOR } from '../server/src/features/memory/index/fuse.ts';
import { SIGNALS, WIDTH } from '../server/src/features/memory/index/signals.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { createModels } from '../server/src/platform/models/create-models.ts';
import { type DataSet, readFamilies } from './conversations.ts';
import { learnFrom, leaveOneSetOut } from './learning.ts';
import { keyOf, madeEmbed, measureRanking, readRecorded } from './memory-ranking.ts';
import { CUTS, type Measured, mean, measure, measurePlain, partsOf, UNITS } from './memory-recall.ts';
import { type Figure, readOptions, report } from './report.ts';

const OWN = ['own', 'everyday'].map((name) => new URL(`conversations/${name}.json`, import.meta.url).pathname);
const values = readOptions({
  data: OWN.join(','),
  judge: '',
  without: '',
  embeddings: '',
  record: '',
  learn: false,
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

const [taught, judges] = [values.data, values.judge].map((files) => readFamilies(files.split(',').filter(Boolean)));
const sets = [...(taught ?? []), ...(judges ?? [])].flat();

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
  const weights = learnFrom(taught ?? []);
  for (const [s, name] of SIGNALS.entries()) console.log(`${name}: ${weights[s]?.toFixed(2)},`);
}
if (values.record || values.learn) process.exit();

const left = new Map(leaveOneSetOut(taught ?? [], judges ?? []).map(({ name, measured }) => [name, measured]));
const embed =
  values.embeddings === 'made' ? madeEmbed : values.embeddings ? readRecorded(values.embeddings) : undefined;
const without = values.without && VECTOR.map((weight, s) => (SIGNALS[s] === values.without ? 0 : weight));
const LEARNED = 'learned from the other sets';
const { database } = await openInMemory();
const figures: Figure[] = [];
for (const set of sets) {
  const floor = plain(set);
  const all = [
    { measured: await ours(database, set) },
    { on: LEARNED, measured: left.get(set.name) },
    { on: `without ${values.without}`, measured: without ? measureRanking(set, { weights: without }) : undefined },
    { on: 'with embeddings', measured: embed && measureRanking(set, { embed }) },
  ];
  for (const unit of UNITS) {
    for (const k of CUTS) {
      const what = `${set.name}, ${floor.length} questions, by ${unit} @${k}`;
      for (const { measured, ...on } of all) {
        if (measured)
          figures.push({ what, ...on, unit: '%', floor: mean(floor, k, unit), ours: mean(measured, k, unit) });
      }
    }
  }
}
await database.close();

/** How far a figure is above plain BM25, in points. */
const above = ({ ours: found, floor = 0 }: Figure) => found - floor;

/** The worst distance, the means and the free parameters of what was measured one way. */
function summaryOf(on: string | undefined, parameters: number): Figure[] {
  const own = figures.filter((figure) => figure.on === on).sort((a, b) => above(a) - above(b));
  const way = on === undefined ? {} : { on };
  const means = UNITS.flatMap((unit) =>
    CUTS.map((k) => {
      const same = own.filter(({ what }) => what.endsWith(`by ${unit} @${k}`));
      const sum = same.reduce((whole, figure) => whole + above(figure), 0);
      return { what: `mean above plain BM25, by ${unit} @${k}`, ...way, unit: 'points', ours: sum / same.length };
    }),
  );
  return [
    ...own.slice(0, 1).map((worst) => ({ what: `worst: ${worst.what}`, ...way, unit: 'points', ours: above(worst) })),
    { what: 'free parameters: weights unlike the others', ...way, unit: '', ours: parameters },
    ...means,
  ];
}

const summary = [...summaryOf(undefined, WIDTH), ...summaryOf(LEARNED, WIDTH)];
report('above plain BM25 over the same units', summary);
report('how much of the evidence memory finds, beside plain BM25', figures);
