import { crc32, deflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';

/** A PDF of real pages, one line of text each. */
export function pdfOf(lines: string[], extra: { encrypt?: string } = {}): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const kids: number[] = [];
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const line of lines) {
    const text = `BT /F1 12 Tf 50 700 Td (${line.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`;
    objects.push(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
    const content = objects.length;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    kids.push(objects.length);
  }
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const id = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R ${id} ${extra.encrypt ?? ''} >>`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A PDF with a password that nobody has. */
export const encryptedPdf = (): Buffer =>
  pdfOf(['secret'], {
    encrypt: `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
  });

interface Packed {
  packed: Buffer;
  crc: number;
  /** The unpacked size that the archive declares. */
  declared: number;
}

interface Entry {
  name: string;
  data: Buffer | Packed;
}

const pack = (data: Buffer): Packed => ({ packed: deflateRawSync(data), crc: crc32(data), declared: data.length });

/** A ZIP archive. */
export function zipOf(entries: Entry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, data } of entries) {
    const { packed, crc, declared } = Buffer.isBuffer(data) ? pack(data) : data;
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc, 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(declared, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), head, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    central.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), head.subarray(0, 26), tail, Buffer.from(name)]),
    );
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** A Word document; a paragraph that begins with `# ` is a heading. */
export function docxOf(paragraphs: string[]): Buffer {
  const body = paragraphs.map((text) => {
    const style = text.startsWith('# ') ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
    return `<w:p>${style}<w:r><w:t>${text.replace(/^# /, '')}</w:t></w:r></w:p>`;
  });
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`;
  return zipOf([
    { name: '[Content_Types].xml', data: Buffer.from(CONTENT_TYPES) },
    { name: '_rels/.rels', data: Buffer.from(RELATIONS) },
    { name: 'word/document.xml', data: Buffer.from(document) },
  ]);
}

let blanks: Packed | undefined;

/** A ZIP archive in which one part has grown to 130 MB of blanks, whatever size it declares. They are packed once for all archives. */
export function grown(archive: Buffer, part: string, declared?: number): Buffer {
  blanks ??= pack(Buffer.alloc(130 * 1024 * 1024, ' '));
  const bomb = declared === undefined ? blanks : { ...blanks, declared };
  const parts = Object.entries(unzipSync(new Uint8Array(archive)));
  return zipOf(parts.map(([name, data]) => ({ name, data: name === part ? bomb : Buffer.from(data) })));
}
