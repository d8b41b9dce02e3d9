// Records the embeddings of all texts and questions of the sets, so that recall by meaning can be measured again without a provider.
//   OPENAI_API_KEY=… [OPENAI_BASE_URL=…] [EMBEDDING_MODEL=…] node bench/record-embeddings.ts --data FILE… --out FILE
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../server/src/config.ts';
import { createModels } from '../server/src/platform/models/create-models.ts';
import { readFamilies } from './conversations.ts';
import { keyOf } from './memory-meaning.ts';
import { partsOf } from './memory-recall.ts';

const BATCH = 64;

const { values } = parseArgs({ options: { data: { type: 'string', multiple: true }, out: { type: 'string' } } });
const { data, out } = values;
if (data === undefined || out === undefined) throw new Error('--data FILE… --out FILE');
const { embedder } = createModels(readConfig(process.env));
if (embedder === null) throw new Error('Set OPENAI_API_KEY, or OPENAI_BASE_URL and EMBEDDING_MODEL.');

const texts = new Set(
  readFamilies(data).flatMap(({ sets }) =>
    sets.flatMap(({ conversations }) =>
      conversations.flatMap((one) => [...partsOf(one), ...one.questions].map(({ text }) => text)),
    ),
  ),
);
const vectors: Record<string, string> = {};
const all = [...texts];
for (let at = 0; at < all.length; at += BATCH) {
  const batch = all.slice(at, at + BATCH);
  const made = await embedder.embed(batch, AbortSignal.timeout(60_000));
  for (const [i, text] of batch.entries()) vectors[keyOf(text)] = Buffer.from(made[i] ?? []).toString('base64');
  process.stderr.write(`\r${Object.keys(vectors).length} of ${all.length}`);
}
writeFileSync(out, JSON.stringify({ model: embedder.space, vectors }));
