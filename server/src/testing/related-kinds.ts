import { unzipSync } from 'fflate';
import { zipOf } from './documents.ts';
import { effort } from './effort.ts';
import { type KindRow, MAIL, made, text } from './file-kinds.ts';

/** A document as a program saves it in a related format: one part of its archive says so. */
const savedAs = (name: string, part: string, type: string, other: string) =>
  zipOf(
    Object.entries(unzipSync(new Uint8Array(made(name)))).map(([path, data]) => ({
      name: path,
      data: path === part ? Buffer.from(Buffer.from(data).toString().replaceAll(type, other)) : Buffer.from(data),
    })),
  );

/** A Word document or Excel workbook whose main part is of another type. */
const officeAs = (name: string, type: string, other: string) =>
  savedAs(name, '[Content_Types].xml', `application/vnd.openxmlformats-officedocument.${type}.main+xml`, other);

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
export const RELATED_ROWS: KindRow[] = [
  {
    kind: 'docx',
    file: [
      'prices.docm',
      officeAs('pandoc.docx', 'wordprocessingml.document', 'application/vnd.ms-word.document.macroEnabled.main+xml'),
    ],
    place: '“Prices”',
  },
  {
    kind: 'docx',
    file: [
      'prices.dotx',
      officeAs(
        'pandoc.docx',
        'wordprocessingml.document',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
      ),
    ],
    place: '“Prices”',
  },
  {
    kind: 'xlsx',
    file: [
      'prices.xlsm',
      officeAs('openpyxl.xlsx', 'spreadsheetml.sheet', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'),
    ],
    place: 'sheet “Prices”, rows 2–4',
  },
  { kind: 'odt', file: ['prices.ott', savedAs('pandoc.odt', 'mimetype', ODT, `${ODT}-template`)], place: '“Prices”' },
  {
    kind: 'fodt',
    file: ['prices.fodt', FLAT],
    place: '“Prices”',
    damaged: [FLAT.subarray(0, FLAT.length / 2), /damaged and can’t be read/],
    bomb: [Buffer.from('<a>'.repeat(5_000)), /nested/],
  },
  { kind: 'fods', file: ['prices.fods', flat('libreoffice.ods', 'spreadsheet')], place: 'sheet “Prices”, rows 2–4' },
  { kind: 'fodp', file: ['prices.fodp', flat('libreoffice.odp', 'presentation')], place: 'slide 2' },
  {
    kind: 'mail',
    file: [
      'letters.mbox',
      text([
        ENVELOPE,
        'Subject: Roof repair',
        '',
        '>From Monday on, roof repair costs 480 euros.',
        '',
        ENVELOPE,
        ...MAIL,
        '',
        'From a program that writes no headers',
        '',
        'Nothing.',
      ]),
    ],
    place: 'message 1',
    answer: 'From Monday on, roof repair costs 480',
  },
  {
    kind: 'mail',
    file: ['hours.mbox', text([ENVELOPE, ...MAIL])],
    question: 'When do you close on Friday?',
    answer: '15:30',
    place: 'message 1, attachment “hours.csv”, row 2',
  },
  ...effort<KindRow[]>([], [{ kind: 'picture', file: ['scan.gif', made('scan.gif')], place: 'picture' }]),
];
