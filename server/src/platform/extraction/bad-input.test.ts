import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { odsOf, pdfPage, shownText, wordOf, workbookOf, zipOf } from '../../testing/documents.ts';
import { effort, isNightly } from '../../testing/effort.ts';
import { type DocumentKind, extractDocument } from './extract.ts';
import { unreadableSentence } from './unreadable.ts';

const TABLE = '<table><tr><th>a<th colspan=2>b</tr><tr><td rowspan=2>1<td>2<td>3</tr></table>';
const SMALL: [kind: DocumentKind, data: Buffer][] = [
  [
    'xlsx',
    workbookOf('<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><f>1+1</f><v>1.5</v></c></row>', {
      formats: ['[h]:mm'],
      strings: '<si><t>a_x000D_</t><rPh><t>b</t></rPh></si>',
      after: '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>',
    }),
  ],
  [
    'ods',
    odsOf(
      '<table:table-column table:number-columns-repeated="2"/><table:table-row><table:table-cell table:style-name="a" office:value-type="time" office:time-value="PT40H30M00S"/></table:table-row>',
      '<number:time-style style:name="b" number:truncate-on-overflow="false"><number:hours/></number:time-style><style:style style:name="a" style:family="table-cell" style:data-style-name="b"/>',
    ),
  ],
  [
    'docx',
    wordOf(
      '<w:p><w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>a</w:t><w:noBreakHyphen/><w:sym w:font="Wingdings" w:char="F0FC"/><w:ruby><w:rt><w:r><w:t>b</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>c</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>',
    ),
  ],
  ['pdf', pdfPage('BT /F1 12 Tf 50 700 Td (tempera-) Tj T* (ture) Tj ET', '/Font << /F1 << /Type /Font >> >>')],
  ['html', Buffer.from(TABLE)],
  ['csv', Buffer.from('"a;b";c\n1;"2\n3"\n')],
  ['json', Buffer.from('{ // a\n "b": [1, {"c": "d"},],\n}')],
  ['jsonl', Buffer.from('{"a":1}\n{"b":[2]}\n')],
  ['yaml', Buffer.from('a: &x [1, 2]\nb: *x\n')],
  ['xml', Buffer.from('<a b="1"><![CDATA[c]]>d</a>')],
  ['rtf', Buffer.from('{\\rtf1\\ansi{\\b a\\_b}\\par}')],
  ['mail', Buffer.from('Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nc\n--b--')],
  ['notebook', Buffer.from('{"cells":[{"cell_type":"code","source":["a"],"outputs":[{"text":"b"}]}]}')],
  ['subtitles', Buffer.from('1\n00:00:01,000 --> 00:00:03,500\na\n')],
];

const TEN_MB = 10 * 1024 * 1024;
const times = (piece: string) => piece.repeat(TEN_MB / piece.length);
/** What is inside of an archive, and of a PDF, ten megabytes of it. */
const LARGE = new Map<DocumentKind, () => Buffer>([
  [
    'xlsx',
    () =>
      workbookOf(times('<row><c><v>1</v></c><c s="1"><f>A1</f></c></row>'), {
        formats: ['dd/mm/yyyy'],
        after: `<mergeCells>${times('<mergeCell ref="A1:XFD1048576"/>')}</mergeCells>`,
      }),
  ],
  [
    'ods',
    () =>
      odsOf(times('<table:table-row><table:table-cell office:value-type="float" office:value="1"/></table:table-row>')),
  ],
  ['docx', () => wordOf(`<w:p><w:r>${times('<w:noBreakHyphen/><w:ptab/>')}</w:r></w:p>`)],
  ['pdf', () => pdfPage(`BT ${times('(tempera-) Tj T* ')} ET`)],
]);

/** What a person gets: the text, or why there is none. */
const outcome = (kind: DocumentKind, data: Buffer): Promise<string> => shownText(kind, data).catch(unreadableSentence);

/** A document cut off at each of these places: an archive in each of its parts. */
function* cutsOf(data: Buffer): Iterable<Buffer> {
  const isArchive = data.subarray(0, 2).toString() === 'PK';
  const parts = isArchive ? unzipSync(new Uint8Array(data)) : { '': data };
  for (const [cutName, whole] of Object.entries(parts)) {
    const all = Array.from({ length: whole.length }, (_, at) => at);
    for (const end of effort(
      all.filter((at) => at % Math.ceil(all.length / 4) === 1),
      all,
    )) {
      const cut = Buffer.from(whole.subarray(0, end));
      yield isArchive ? zipOf({ ...parts, [cutName]: cut }) : cut;
    }
  }
}

describe.each(SMALL)('a file called %s', (kind, data) => {
  it('that is cut off is read as far as it goes, or refused in a sentence', async () => {
    for (const cut of cutsOf(data)) expect(typeof (await outcome(kind, cut))).toBe('string');
  });

  it.each([
    ['random bytes', Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * at * 31 + at * 7) % 251))],
    ['another kind', kind === 'pdf' ? Buffer.from(TABLE) : pdfPage('')],
    ['nothing', Buffer.alloc(0)],
  ])('that is %s is no crash', async (_name, garbage) => {
    expect(typeof (await outcome(kind, garbage))).toBe('string');
  });

  it.runIf(isNightly)('of ten megabytes ends in a text or a sentence', { timeout: 600_000 }, async () => {
    const filled = ['<', '[', '{', '"', '&', '\\', '- ', '<a b="', '[{"a":'].map((piece) =>
      Buffer.alloc(TEN_MB, piece),
    );
    const large = LARGE.get(kind)?.() ?? Buffer.alloc(TEN_MB, data);
    for (const content of [large, randomBytes(TEN_MB), ...filled]) {
      const end = await extractDocument(kind, Readable.from([content]), { timeoutMs: 60_000 }).then(
        ({ passages }) => passages.length,
        unreadableSentence,
      );
      expect(['number', 'string']).toContain(typeof end);
    }
  });
});
