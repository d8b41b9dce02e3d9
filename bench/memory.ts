import { parseArgs } from 'node:util';
import { openInMemory } from '../server/src/platform/database/pglite.ts';
import { readConversations } from './conversations.ts';
import { CUTS, type Measured, mean, measure } from './memory-recall.ts';

const OWN = new URL('conversations/own.json', import.meta.url).pathname;

const { values } = parseArgs({
  options: { data: { type: 'string', default: OWN }, json: { type: 'boolean', default: false } },
});

const { database } = await openInMemory();
const all: Measured[] = [];
const row = (name: string, measured: Measured[]) =>
  console.log(
    [
      name.padEnd(16),
      String(measured.length).padStart(9),
      ...CUTS.map((k) => mean(measured, k).toFixed(2).padStart(9)),
    ].join(''),
  );

console.log(
  ['conversation'.padEnd(16), 'questions'.padStart(9), ...CUTS.map((k) => `recall@${k}`.padStart(9))].join(''),
);
for (const conversation of readConversations(values.data)) {
  const measured = await measure(database, conversation);
  row(conversation.id, measured);
  all.push(...measured);
}
for (const category of [...new Set(all.map((m) => m.category))].sort()) {
  row(
    `category ${category}`,
    all.filter((m) => m.category === category),
  );
}
row('overall', all);
await database.close();
if (values.json) {
  const rounded = CUTS.map((k) => [k, Number(mean(all, k).toFixed(2))]);
  console.log(JSON.stringify({ recall: Object.fromEntries(rounded), questions: all.length }));
}
