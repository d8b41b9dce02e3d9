import readSheets from 'read-excel-file/node';
import { Parser } from 'saxen';
import type { Document, Section } from './passages.ts';
import { checkArchive } from './read-office.ts';
import { tableSections } from './tables.ts';
import { DAMAGED, partsOf } from './unzip.ts';

/** An Excel workbook: each sheet in ranges of rows, with dates as dates and the results of formulas. */
export async function readSheet(data: Uint8Array): Promise<Document> {
  await checkArchive(data, 'xl/workbook.xml', 'an Excel workbook');
  const sheets = await readSheets(Buffer.from(data.buffer, data.byteOffset, data.byteLength)).catch(() => {
    throw DAMAGED;
  });
  const comments = (await partsOf(data, /^xl\/(?:comments\/)?comments?\d*\.xml$/)).flatMap(({ text }) =>
    commentsIn(text),
  );
  return {
    sections: function* (): Iterable<Section> {
      for (const { sheet, data: rows } of sheets) {
        const table = rows.map((row) => row.map(shown));
        yield* tableSections({ rows: table, headed: false, prefix: `sheet “${sheet.slice(0, 80)}”, ` });
      }
      if (comments.length > 0) yield { place: 'comments', text: comments.join('\n') };
    },
  };
}

/** `B2: Without scaffolding`: the cell and what people noted on it. */
function commentsIn(xml: string): string[] {
  const comments: { cell: string; text: string }[] = [];
  const last = () => comments.at(-1);
  let inText = false;
  new Parser()
    .on('openTag', (name, attributes) => {
      if (name === 'comment') comments.push({ cell: attributes().ref ?? '', text: '' });
      inText = name === 't';
    })
    .on('text', (text, decode) => {
      const comment = last();
      if (inText && comment !== undefined) comment.text += decode(text);
    })
    .on('closeTag', () => void (inText = false))
    .on('error', () => {
      throw DAMAGED;
    })
    .parse(xml);
  return comments.map(({ cell, text }) => `${cell}: ${text.split(/\s+/).join(' ').trim()}`);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!(value instanceof Date)) return String(value);
  const text = Number.isNaN(value.getTime()) ? '' : value.toISOString();
  // Midnight means a day; 1899-12-30, where Excel's days begin, means a time.
  const [day = '', time = ''] = text.split('T');
  return time.startsWith('00:00:00') ? day : `${day === '1899-12-30' ? '' : `${day} `}${time.slice(0, 5)}`;
}
