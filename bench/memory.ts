// How much of the evidence recall finds, with the product's own remember and recall, and what each signal contributes.
//   node bench/memory.ts [--data FILE] [--leave-one-out] [--json]
import { parseArgs } from 'node:util';
import { vectorOf } from '../server/src/features/memory/index/fuse.ts';
import { SIGNALS } from '../server/src/features/memory/index/signals.ts';
import { WEIGHTS } from '../server/src/features/memory/index/weights.ts';
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { type Conversation, readConversations } from './conversations.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { CUTS, type Measured, mean, measure } from './memory-recall.ts';
import { measureVectors } from './memory-signals.ts';

const OWN = new URL('conversations/own.json', import.meta.url).pathname;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: OWN },
    'leave-one-out': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const line = (name: string, count: string, cells: string[]) =>
  console.log([name.padEnd(20), count.padStart(9), ...cells.map((cell) => cell.padStart(10))].join(''));
const head = (name: string) =>
  line(
    name,
    'questions',
    CUTS.map((k) => `recall@${k}`),
  );
const row = (name: string, measured: Measured[]) =>
  line(
    name,
    String(measured.length),
    CUTS.map((k) => mean(measured, k).toFixed(2)),
  );

async function measureProduct(conversations: Conversation[]): Promise<Measured[]> {
  const { database } = await openInMemory();
  const all: Measured[] = [];
  head('conversation');
  for (const conversation of conversations) {
    const measured = await measure(database, conversation);
    row(conversation.id, measured);
    all.push(...measured);
  }
  await database.close();
  for (const category of [...new Set(all.map((m) => m.category))].sort()) {
    row(
      `category ${category}`,
      all.filter((m) => m.category === category),
    );
  }
  row('overall', all);
  return all;
}

/** Each signal's weight set to 0, the others unchanged, in the index of the product's worker. */
function printAblation(conversations: Conversation[]): void {
  const vectors = [WEIGHTS, ...SIGNALS.map((name) => ({ ...WEIGHTS, [name]: 0 }))].map(vectorOf);
  const measured: Measured[][] = vectors.map(() => []);
  for (const conversation of conversations) {
    for (const [v, found] of measureVectors(conversation, vectors).entries()) measured[v]?.push(...found);
  }
  const [whole = [], ...without] = measured;
  console.log('');
  line(
    'signal left out',
    '',
    CUTS.map((k) => `recall@${k}`),
  );
  row('none', whole);
  for (const [s, name] of SIGNALS.entries()) {
    const left = without[s] ?? [];
    line(
      name,
      '',
      CUTS.map((k) => signed(mean(left, k) - mean(whole, k))),
    );
  }
}

const signed = (by: number) => `${by < 0 ? '' : '+'}${by.toFixed(2)}`;

const conversations = readConversations(values.data);
const all = await measureProduct(conversations);
printAblation(conversations);
if (values['leave-one-out']) {
  console.log('\nEach conversation with weights learned from the others alone:');
  head('conversation');
  const left = leaveOneOut(conversations);
  for (const { id, measured } of left) row(id, measured);
  row(
    'overall',
    left.flatMap(({ measured }) => measured),
  );
}
if (values.json) {
  const rounded = CUTS.map((k) => [k, Number(mean(all, k).toFixed(2))]);
  console.log(JSON.stringify({ recall: Object.fromEntries(rounded), questions: all.length }));
}
