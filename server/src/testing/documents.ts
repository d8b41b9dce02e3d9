import { crc32, deflateRawSync } from 'node:zlib';
import { unzipSync, Zip, type ZipInputFile } from 'fflate';
import type { DocumentKind } from '../platform/extraction/extract.ts';
import { cutIntoPassages } from '../platform/extraction/passages.ts';
import { readDocument } from '../platform/extraction/read-document.ts';

/** A PDF of real pages, one line of text each. */
export function pdfOf(lines: string[], encrypt = ''): Buffer {
  const pages = lines.flatMap((line, i) => {
    const text = `BT /F1 12 Tf 50 700 Td (${line.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`;
    return [
      streamOf(text),
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    ];
  });
  const kids = lines.map((_, i) => `${5 + 2 * i} 0 R`).join(' ');
  const root = ['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count ${lines.length} /Kids [${kids}] >>`];
  return pdfFile([...root, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>', ...pages], encrypt);
}

const streamOf = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;

/** A PDF of one page with this content and these fonts; other objects are numbered from 5. */
export function pdfPage(content: string, resources = '', others: string[] = []): Buffer {
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << ${resources} >> >>`,
    streamOf(content),
    ...others,
  ]);
}

/** A page of East Asian text in one of the character maps that every PDF reader has. */
export function eastAsianPdf(map: string, ordering: string, hex: string): Buffer {
  const info = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >>`;
  return pdfPage(`BT /F1 24 Tf 50 700 Td <${hex}> Tj ET`, '/Font << /F1 5 0 R >>', [
    `<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /${map} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X ${info} /FontDescriptor 7 0 R /DW 1000 >>`,
    '<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 859 /Descent 0 /CapHeight 770 /StemV 78 >>',
  ]);
}

function pdfFile(objects: string[], encrypt = ''): Buffer {
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const id = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R ${id} ${encrypt} >>`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A PDF with a password that nobody has. */
export const encryptedPdf = (): Buffer =>
  pdfOf(['secret'], `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`);

interface Packed {
  packed: Buffer<ArrayBuffer>;
  crc: number;
  /** The unpacked size that the archive declares. */
  declared: number;
}

const pack = (data: Buffer): Packed => ({ packed: deflateRawSync(data), crc: crc32(data), declared: data.length });

/** A ZIP archive of these parts, by their names. */
export function zipOf(parts: Record<string, Uint8Array | string | Packed>): Buffer {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((_error, chunk) => void chunks.push(chunk));
  for (const [filename, data] of Object.entries(parts)) {
    const isPacked = typeof data === 'object' && 'packed' in data;
    const { packed, crc, declared } = isPacked ? data : pack(Buffer.from(data));
    const entry: ZipInputFile = { filename, crc, size: declared, compression: 8 };
    zip.add(entry);
    entry.ondata?.(null, packed, true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** A Word document; a paragraph that begins with `# ` is a heading. */
export function docxOf(paragraphs: string[]): Buffer {
  const body = paragraphs.map((text) => {
    const style = text.startsWith('# ') ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
    return `<w:p>${style}<w:r><w:t>${text.replace(/^# /, '')}</w:t></w:r></w:p>`;
  });
  return wordOf(body.join(''));
}

/** A Word document of this markup, which has the usual prefixes. */
export const wordOf = (body: string, main = 'word/document.xml'): Buffer =>
  zipOf({
    '[Content_Types].xml': CONTENT_TYPES.replace('word/document.xml', main),
    '_rels/.rels': RELATIONS.replace('word/document.xml', main),
    [main]: `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });

/** An Excel workbook of one sheet: rows of markup. Style 1 is the first of the formats; an id is a built-in one. */
export function workbookOf(
  rows: string,
  { formats = [], after = '', strings = '', properties = '' }: WorkbookParts = {},
): Buffer {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const ids = formats.map((format, at) => (typeof format === 'number' ? format : 164 + at));
  const own = formats.flatMap((format, at) =>
    typeof format === 'number' ? [] : [`<numFmt numFmtId="${164 + at}" formatCode="${escaped(format)}"/>`],
  );
  return zipOf({
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}">${properties}<sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="/xl/styles.xml"/>${strings === '' ? '' : `<Relationship Id="rId3" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/>`}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${own.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    // Programs that write no texts to share leave it out.
    ...(strings === '' ? {} : { 'xl/sharedStrings.xml': `<sst ${main}>${strings}</sst>` }),
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows}</sheetData>${after}</worksheet>`,
  });
}

interface WorkbookParts {
  formats?: (string | number)[];
  /** What follows the rows. */
  after?: string;
  strings?: string;
  properties?: string;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** An OpenDocument spreadsheet of one table, with its styles. */
export function odsOf(rows: string, styles = ''): Buffer {
  const spaces = ['office', 'table', 'text', 'style', 'number', 'calcext']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ');
  const content = `<office:document-content ${spaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="One">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`;
  return zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': content });
}

let blanks: Packed | undefined;

/** A ZIP archive in which one part has grown to 130 MB of blanks, whatever size it declares. They are packed once for all archives. */
export function grown(archive: Buffer, part: string, declared?: number): Buffer {
  blanks ??= pack(Buffer.alloc(130 * 1024 * 1024, ' '));
  const bomb = declared === undefined ? blanks : { ...blanks, declared };
  return zipOf({ ...unzipSync(new Uint8Array(archive)), [part]: bomb });
}

/** What is read of a document, in this process and without recognizing text, a line each. */
export async function shownText(kind: DocumentKind, data: Uint8Array | string): Promise<string> {
  const bytes = new Uint8Array(typeof data === 'string' ? Buffer.from(data) : data);
  const failed = (error: unknown) => {
    throw error;
  };
  const options = { recognize: 'never' as const, progress: () => {}, failed };
  const { passages } = cutIntoPassages((await readDocument(kind, bytes, options)).sections);
  return passages.map(({ text }) => text.replaceAll('\n\n', '\n')).join('\n');
}
