// How much of the evidence memory finds, in percent, with the product's own index, beside plain BM25 over the same units: first
// the worst distance and the free parameters, then every set by passage (the turns that answer) and by session (where those turns stand).
//   npm run bench:memory -- [--data FILE,FILE…] [--judge FILE,FILE…] [--json]
// Every file is a set; where a person talks with an agent at length, the same talk is asked once more in flow: the person's long message
// is the query, and what was said before in its session is the evidence. Each set is also measured with weights that were learned from the
// others. The files to judge by never teach.
//   … --data FILE,FILE… --learn          prints weights learned from all the sets, for server/src/features/memory/index/fuse.ts
//   … --data FILE,FILE… --record FILE    records the embeddings of all texts and questions, from the provider that the environment names
import { writeFileSync } from 'node:fs';
import { readConfig } from '../server/src/config.ts';
import { SIGNALS, WIDTH } from '../server/src/features/memory/index/signals.ts';
import { createModels } from '../server/src/platform/models/create-models.ts';
import { readFamilies } from './conversations.ts';
import { learnFrom, leaveOneSetOut } from './learning.ts';
import { CUTS, keyOf, mean, measurePlain, measureRanking, partsOf, UNITS } from './memory-ranking.ts';
import { type Figure, readOptions, report } from './report.ts';

const OWN = ['own', 'everyday'].map((name) => new URL(`conversations/${name}.json`, import.meta.url).pathname);
const values = readOptions({
  data: OWN.join(','),
  judge: '',
  record: '',
  learn: false,
});
const BATCH = 64;

const [taught, judges] = [values.data, values.judge].map((files) => readFamilies(files.split(',').filter(Boolean)));
const sets = [...(taught ?? []), ...(judges ?? [])].flatMap((family) => family.sets);

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
const LEARNED = 'learned from the other sets';
const figures: Figure[] = [];
for (const set of sets) {
  const floor = measurePlain(set);
  const all = [{ measured: measureRanking(set) }, { on: LEARNED, measured: left.get(set.name) ?? [] }];
  for (const unit of UNITS) {
    for (const k of CUTS) {
      const what = `${set.name}, ${floor.length} questions, by ${unit} @${k}`;
      for (const { measured, ...on } of all)
        figures.push({ what, ...on, unit: '%', floor: mean(floor, k, unit), ours: mean(measured, k, unit) });
    }
  }
}

/** How far a figure is above plain BM25, in points. */
const above = ({ ours: found, floor = 0 }: Figure) => found - floor;

/** The worst distance, the means and the free parameters of what was measured one way. */
function summaryOf(way: Pick<Figure, 'on'>): Figure[] {
  const own = figures.filter(({ on }) => on === way.on).sort((a, b) => above(a) - above(b));
  const means = UNITS.flatMap((unit) =>
    CUTS.map((k) => {
      const same = own.filter(({ what }) => what.endsWith(`by ${unit} @${k}`));
      const sum = same.reduce((whole, figure) => whole + above(figure), 0);
      return { what: `mean above plain BM25, by ${unit} @${k}`, ...way, unit: 'points', ours: sum / same.length };
    }),
  );
  return [
    ...own.slice(0, 1).map((worst) => ({ what: `worst: ${worst.what}`, ...way, unit: 'points', ours: above(worst) })),
    { what: 'free parameters: weights unlike the others', ...way, unit: '', ours: WIDTH },
    ...means,
  ];
}

report('above plain BM25 over the same units', [...summaryOf({}), ...summaryOf({ on: LEARNED })]);
report('how much of the evidence memory finds, beside plain BM25', figures);
