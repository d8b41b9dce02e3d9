import { unzipSync } from 'fflate';
import { zipOf } from './documents.ts';
import { effort } from './effort.ts';
import { FRIDAY, half, type KindRow, MAIL, made, row, text } from './file-kinds.ts';

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
export const RELATED_ROWS: KindRow[] = [
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
