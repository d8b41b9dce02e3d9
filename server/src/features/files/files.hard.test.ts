import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { docxOf, encryptedPdf, grown, pdfOf } from '../../testing/documents.ts';
import { effort, isNightly } from '../../testing/effort.ts';
import { filesOf } from '../../testing/files.ts';
import { testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { filePassages } from './files.table.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const app = await closing(testApp());
const ada = await app.signUpPro('Ada');
await app.request('POST', '/api/agents', { as: ada, body: { name: 'Reader', prompt: 'You read.' } });
const { add, passagesOf } = filesOf(
  () => app,
  () => ada,
);

const bomb = (declared?: number) => grown(docxOf(['x']), 'word/document.xml', declared);

const UNREADABLE: [string, Buffer | string, RegExp][] = [
  ['secret.pdf', encryptedPdf(), /protected by a password/],
  ['broken.pdf', Buffer.from('%PDF-1.4 nonsense'), /damaged/],
  ['bomb.docx', bomb(), /too large when unpacked/],
  ['lying-bomb.docx', bomb(1000), /too large when unpacked/],
  ['broken.docx', Buffer.concat([docxOf(['x']).subarray(0, 200), Buffer.alloc(50)]), /damaged/],
  ['broken.json', '{"a": ', /not valid JSON/],
  ['deep.json', `${'['.repeat(5000)}${']'.repeat(5000)}`, /deeper than 100|not valid JSON/],
  ['blank.txt', ' \n\n ', /no text/],
];
/** Those of which `files.kinds.test.ts` has the like are for the night. */
const TRIED = effort(
  UNREADABLE.filter(([name]) => ['secret.pdf', 'lying-bomb.docx', 'blank.txt'].includes(name)),
  UNREADABLE,
);
// One after the other, as all files of one account.
it('says why a file can’t be read', async () => {
  const added = await Promise.all(TRIED.map(([name, data]) => add(name, data)));
  for (const [i, [name, , sentence]] of TRIED.entries()) {
    expect([added[i].state, added[i].error], name).toEqual(['failed', expect.stringMatching(sentence)]);
  }
  expect(await app.deps.db.select().from(filePassages)).toEqual([]);
});

it.runIf(isNightly)('reads 200 pages and survives bombs with little memory of its own', async () => {
  const pdf = pdfOf(Array.from({ length: 200 }, (_, i) => `Page ${i + 1} tells of otter number ${i + 1}.`));
  const large = Buffer.alloc(10 * 1024 * 1024 - 1, 'All work and no play makes a long file.\n');
  // The database in this process grows with the first long file, and keeps what it grew by.
  await add('first.txt', large);
  collectGarbage();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  // What waits to be collected belongs to nobody, and V8 may let much of it gather.
  const collecting = setInterval(collectGarbage, 1000);
  const [read] = await Promise.all([add('otters.pdf', pdf), add('bomb.docx', bomb()), add('large.txt', large)]);
  clearInterval(watch);
  clearInterval(collecting);
  const rise = Math.round((peak - before) / 1024 / 1024);
  console.log(`files: RSS rose by at most ${rise} MB (this process is client and server in one)`);
  expect(await passagesOf(read.id)).toHaveLength(200);
  expect(rise).toBeLessThanOrEqual(150);
});
