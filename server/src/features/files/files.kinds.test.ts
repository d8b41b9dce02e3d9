import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { FILE_TYPES } from '@atelier/contract/files';
import { unzipSync } from 'fflate';
import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import { cutIntoPassages } from '../../platform/extraction/passages.ts';
import { readDocument } from '../../platform/extraction/read-document.ts';
import { unreadableSentence } from '../../platform/extraction/unreadable.ts';
import { pdfOf, zipOf } from '../../testing/documents.ts';
import { effort, isNightly } from '../../testing/effort.ts';
import { FRIDAY, half, KIND_ROWS, type KindRow, MAIL, made, row, text } from '../../testing/file-kinds.ts';
import { FILES, filesOf } from '../../testing/files.ts';
import { testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { pictureOf } from '../../testing/pictures.ts';
import { checkType } from './file-names.service.ts';

// At night each file goes through the whole product, where a process of its own reads it. Otherwise the same reader reads it here.

/** A document as a program saves it in a related format: one part of its archive says so. */
const savedAs = (name: string, part: string, type: string, other: string) => {
  const parts = unzipSync(new Uint8Array(made(name)));
  return zipOf({
    ...parts,
    [part]: Buffer.from(parts[part] ?? [])
      .toString()
      .replaceAll(type, other),
  });
};

/** A Word document or Excel workbook whose main part is of another type. */
const officeAs = (name: string, type: string, other: string) =>
  savedAs(
    name,
    '[Content_Types].xml',
    `application/vnd.openxmlformats-officedocument.${type}.main+xml`,
    `application/vnd.${other}.main+xml`,
  );
const WORD = 'wordprocessingml.document';

/** An OpenDocument in one file of XML, with a picture in it. */
function flat(name: string, type: string): Buffer {
  const content = Buffer.from(unzipSync(new Uint8Array(made(name)))['content.xml'] ?? []).toString();
  const root = `<office:document office:mimetype="application/vnd.oasis.opendocument.${type}"`;
  const picture =
    '<draw:frame><draw:image><office:binary-data>iVBORw0KGgo0ODA</office:binary-data></draw:image></draw:frame>';
  const whole = content
    .replace('<office:document-content', root)
    .replace('</office:document-content', '</office:document');
  return Buffer.from(whole.replace('</text:p>', `${picture}</text:p>`));
}

const FLAT = flat('pandoc.odt', 'text');
const ENVELOPE = 'From ada@example.com Mon Nov 23 10:00:00 2026';
const ODT = 'application/vnd.oasis.opendocument.text';

/** Formats that are read like those of their family. */
const RELATED_ROWS: KindRow[] = [
  row('docx', 'prices.docm', officeAs('pandoc.docx', WORD, 'ms-word.document.macroEnabled'), '“Prices”'),
  row(
    'docx',
    'prices.dotx',
    officeAs('pandoc.docx', WORD, 'openxmlformats-officedocument.wordprocessingml.template'),
    '“Prices”',
  ),
  row(
    'xlsx',
    'prices.xlsm',
    officeAs('openpyxl.xlsx', 'spreadsheetml.sheet', 'ms-excel.sheet.macroEnabled'),
    'sheet “Prices”, rows 2–4',
  ),
  row('odt', 'prices.ott', savedAs('pandoc.odt', 'mimetype', ODT, `${ODT}-template`), '“Prices”'),
  row('fodt', 'prices.fodt', FLAT, '“Prices”', {
    damaged: [half(FLAT), /damaged and can’t be read/],
    bomb: [Buffer.from('<a>'.repeat(5_000)), /nested/],
  }),
  row('fods', 'prices.fods', flat('libreoffice.ods', 'spreadsheet'), 'sheet “Prices”, rows 2–4'),
  row('fodp', 'prices.fodp', flat('libreoffice.odp', 'presentation'), 'slide 2'),
  row(
    'mail',
    'letters.mbox',
    text(
      `${ENVELOPE}\nSubject: Roof repair\n\n>From Monday on, roof repair costs 480 euros.\n`,
      `${ENVELOPE}\n${MAIL}\n`,
      'From a program that writes no headers\n\nNothing.',
    ),
    'message 1',
    { answer: 'From Monday on, roof repair costs 480' },
  ),
  row('mail', 'hours.mbox', text(ENVELOPE, String(MAIL)), 'message 1, attachment “hours.csv”, row 2', FRIDAY),
  ...effort<KindRow[]>([], [row('picture', 'scan.gif', 'scan.gif', 'picture')]),
];

const { upload, list, add, passagesOf } = filesOf(
  () => app,
  () => ada,
);
const app = await closing(testApp());
const ada = await app.signUpPro('Ada');
const body = { name: 'Reader', prompt: 'You read.', tools: ['search_files'] };
await app.request('POST', '/api/agents', { as: ada, body });
afterEach(async () => {
  for (const { id } of await list()) await app.request('DELETE', `${FILES}/${id}`, { as: ada });
});

const ROWS = [...KIND_ROWS, ...RELATED_ROWS];
const QUESTION = 'How much is roof repair?';

/** The searchable pieces of a file. */
async function readHere(name: string, data: Buffer) {
  const { kind } = checkType({ name, size: data.length, head: data });
  const document = await readDocument(kind, new Uint8Array(data), {
    recognize: 'now',
    progress: () => {},
    failed: () => {},
  });
  return cutIntoPassages(document.sections).passages;
}

async function askAbout(name: string, data: Buffer, question: string): Promise<string> {
  const added = await add(name, data);
  expect([added.state, added.error]).toEqual(['ready', undefined]);
  const { body } = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'reader' } });
  const input = { sessionId: body.session.id, agentId: 'reader', inputText: question };
  const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body: input })).body;
  return task.message.replaceAll('\\', '');
}

it('has a row for every kind of file', () => {
  const kinds = new Set([...FILE_TYPES.values()].map(({ kind }) => kind));
  expect(new Set(ROWS.map(({ kind }) => kind))).toEqual(kinds);
});

it.each(ROWS)(
  '$kind is read, and answers with its place: $file.0',
  async ({ file: [name, data], place, question = QUESTION, answer = '480' }) => {
    if (isNightly) {
      const message = await askAbout(name, data, question);
      expect(message).toContain(`From the file “${name}, ${place}”`);
      expect(message).toContain(answer);
    } else {
      const passages = await readHere(name, data);
      expect(passages).toContainEqual({ place, text: expect.stringContaining(answer) });
    }
  },
);

it('a document whose pictures of text can’t be recognized is read without them', async () => {
  const scan = readFileSync(new URL('../../testing/documents-of-others/reportlab-scan.pdf', import.meta.url));
  // What stands in the storage is what its readers get, one after another.
  const contents = [scan, Buffer.from('%PDF-1.4 nonsense'), pdfOf(['Marlin is blue.'])];
  const get = vi.spyOn(app.deps.storage, 'get').mockImplementation(async () => Readable.from([contents.shift()]));
  try {
    const file = await add('mixed.pdf', scan);
    expect([file.state, file.error, contents]).toEqual(['ready', undefined, []]);
    expect((await passagesOf(file.id)).map(({ text }: { text: string }) => text)).toEqual(['Marlin is blue.']);
  } finally {
    get.mockRestore();
  }
});

it('a picture without text is there for models that see, and found by its name', async () => {
  const file = await add('harbour_at-dusk.png', pictureOf('png'));
  const why = 'No text was recognized in this picture. Models that see look at it when a message is about its name.';
  expect([file.state, file.note]).toEqual(['ready', why]);
  expect((await passagesOf(file.id)).map(({ text }: { text: string }) => text)).toEqual([
    'A picture named “harbour_at-dusk.png”: harbour at dusk',
  ]);
});

const refusalHere = (error: unknown) => (error instanceof AppError ? error.message : unreadableSentence(error));

async function refusalOf(name: string, data: Buffer): Promise<string> {
  const sent = await upload(name, data);
  // Some are known by their first bytes, the others when they are read.
  return sent.status === 415 ? sent.body.error.message : (await add(name, data)).error;
}

const REFUSED = ROWS.flatMap(({ kind, file: [name], damaged, bomb, encrypted }) =>
  Object.entries({ damaged, bomb, encrypted }).flatMap(([how, given]) =>
    given === undefined ? [] : [{ kind, how, name: `${how}-${name}`, data: given[0], sentence: given[1] }],
  ),
);
it.each(REFUSED)('$kind is refused in a sentence: $name', async ({ kind, name, data, sentence }) => {
  // A picture is looked at when it comes.
  const isSent = isNightly || kind === 'picture';
  expect(await (isSent ? refusalOf(name, data) : readHere(name, data).then(String, refusalHere))).toMatch(sentence);
});
