import { zipSync } from 'fflate';
import { type OfficeContentNode, OfficeParser, type OfficeParserConfig } from 'officeparser';
import type { Document, Section } from '../passages.ts';
import { type Merged, type Table, tableSections, tableText } from '../tables.ts';
import { Unreadable } from '../unreadable.ts';
import { amendArchive } from './amend-archive.ts';
import { DAMAGED, measureZip, PROTECTED, partsOf } from './unzip.ts';

export type OfficeKind = 'docx' | 'pptx' | 'odt' | 'ods' | 'odp' | 'rtf' | 'epub';

const CONTENT = /^content\.xml$/;
/** The part without which an archive is another kind of document, and that kind's name. Word on the web numbers it. */
const MAIN_PART: Record<Exclude<OfficeKind, 'rtf'>, [RegExp, string]> = {
  docx: [/^word\/document\d?\.xml$/, 'a Word document'],
  pptx: [/^ppt\/presentation\.xml$/, 'a PowerPoint presentation'],
  odt: [CONTENT, 'an OpenDocument text'],
  ods: [CONTENT, 'an OpenDocument spreadsheet'],
  odp: [CONTENT, 'an OpenDocument presentation'],
  epub: [/^META-INF\/container\.xml$/, 'an EPUB book'],
};

/** Checks an archive before anything parses it. */
export async function checkArchive(data: Uint8Array, part: RegExp, what: string): Promise<void> {
  if ((await measureZip(data)).some((name) => part.test(name))) return;
  throw new Unreadable(`The content of this file does not match its name: it is not ${what}.`);
}

/** A text, presentation, spreadsheet or book: one section per heading, slide or range of rows, with its notes and comments. */
export async function readOffice(kind: OfficeKind, data: Uint8Array): Promise<Document> {
  if (kind === 'rtf') checkRtf(data);
  else await checkArchive(data, ...MAIN_PART[kind]);
  if (kind === 'epub') await checkBook(data);
  const amended = kind === 'rtf' ? data : await amendArchive(kind, data);
  const ast = await OfficeParser.parseOffice(Buffer.from(amended.buffer, amended.byteOffset, amended.byteLength), {
    fileType: kind,
    ignoreSlideMasters: true,
    ignoreInternalLinks: true,
    onWarning: () => {},
  } satisfies OfficeParserConfig).catch((error: unknown) => {
    throw explained(error);
  });
  const { headers = [], footers = [] } = ast.auxiliary ?? {};
  const lost = ast.warnings.filter(({ code }) => LOST.has(code)).length;
  return {
    title: ast.metadata?.title ?? '',
    sections: function* () {
      yield* sectionsOf(ast.content);
      yield* apart('header', headers);
      yield* apart('footer', footers);
    },
    notes: lost === 0 ? [] : ['Some parts of this document are damaged or protected and were left out.'],
  };
}

/** An OpenDocument in one file of XML is what its archive would have as its content. */
export const readFlat = (kind: 'fodt' | 'fods' | 'fodp', data: Uint8Array): Promise<Document> =>
  readOffice(
    ({ fodt: 'odt', fods: 'ods', fodp: 'odp' } as const)[kind],
    zipSync({ 'content.xml': data }, { level: 0 }),
  );

/** Booksellers encrypt the chapters of a book; encrypted fonts alone don't matter. */
async function checkBook(data: Uint8Array): Promise<void> {
  const [list] = await partsOf(data, (name) => name === 'META-INF/encryption.xml');
  if (/URI="[^"]{1,500}\.x?html?"/i.test(list?.text ?? ''))
    throw new Unreadable('This book is protected against copying and can’t be read.');
}

/** One group from beginning to end: the rest of a truncated file is missing. */
function checkRtf(data: Uint8Array): void {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (!text.subarray(0, 20).toString('latin1').trimStart().startsWith('{\\rtf')) {
    throw new Unreadable('The content of this file does not match its name: it is not an RTF document.');
  }
  const end = text
    .subarray(-100)
    .toString('latin1')
    .replaceAll(/[\s\0]/g, '');
  if (!end.endsWith('}')) throw DAMAGED;
}

const LOST = new Set(
  'CONTENT_PART_NOT_READ ALT_CHUNK_NOT_READ TABLE_CELL_LIMIT_EXCEEDED REPEATED_CONTENT_LIMIT_EXCEEDED'.split(' '),
);

function explained(error: unknown): Unreadable {
  const issue = error instanceof Error && 'officeIssue' in error ? error.officeIssue : undefined;
  const code = typeof issue === 'object' && issue !== null && 'code' in issue ? String(issue.code) : '';
  if (code.startsWith('PASSWORD')) return PROTECTED;
  if (/LIMIT_EXCEEDED|DEPTH_EXCEEDED|TOO_LARGE/.test(code)) {
    return new Unreadable('Reading this document takes too much memory.');
  }
  return DAMAGED;
}

function* sectionsOf(nodes: readonly OfficeContentNode[]): Iterable<Section> {
  let section: Section = { place: 'beginning', text: '' };
  const noted = new Set<OfficeContentNode>();
  for (const node of nodes) {
    if (node.type === 'sheet') {
      yield* tableSections({ ...tableOf(node), prefix: `sheet “${nameOf(node)}”, ` });
      continue;
    }
    if (node.type === 'slide') {
      yield { place: `slide ${numberOf(node)}`, text: `${textOf(node)}${asides(node, noted)}` };
      continue;
    }
    const heading = node.type === 'heading' ? oneLine(textOf(node)) : '';
    if (heading !== '') {
      yield section;
      section = { place: `“${heading.slice(0, 80)}”`, text: '' };
    }
    section.text += `${heading === '' ? textOf(node) : heading}${asides(node, noted)}\n`;
    if (node.type === 'table') section.text += '\n';
  }
  yield section;
}

function* apart(place: string, nodes: readonly OfficeContentNode[]): Iterable<Section> {
  const texts = new Set(nodes.map((node) => textOf(node).trim()).filter((text) => text !== ''));
  // A page number alone says nothing.
  if ([...texts].some((text) => /\p{L}/u.test(text))) yield { place, text: [...texts].join('\n') };
}

/** A part's text, its tables by rows. */
function textOf(node: OfficeContentNode): string {
  if (node.type === 'table') return `\n${tableText(tableOf(node))}\n\n`;
  if (node.type === 'break') return '\n';
  const children = node.children ?? [];
  if (children.length === 0) return node.text ?? '';
  if (children.every((child) => child.type === 'text' || child.type === 'break')) {
    return `${node.type === 'list' ? '- ' : ''}${children.map(textOf).join('')}`;
  }
  return children.map(textOf).join('\n');
}

function tableOf(node: OfficeContentNode): Table {
  const rows: string[][] = [];
  const merged: Merged[] = [];
  for (const row of node.children ?? []) {
    if (row.type !== 'row') continue;
    const cells = row.children ?? [];
    const { row: at } = placeOf(cells[0]);
    // A spreadsheet leaves out empty rows.
    while (node.type === 'sheet' && rows.length < at) rows.push([]);
    const values: string[] = [];
    for (const cell of cells) {
      const { col = values.length, down, across } = placeOf(cell);
      values[col] = `${textOf(cell).trim()}${asides(cell, new Set()).replaceAll('\n', ' ')}`;
      if (down > 1 || across > 1) merged.push({ row: rows.length, col, down, across });
    }
    rows.push(Array.from(values, (value) => value ?? ''));
  }
  const first = node.children?.[0]?.children?.[0]?.metadata;
  const marked = first !== undefined && 'style' in first && first.style === 'header';
  return { rows, merged, ...(marked || node.type === 'sheet' ? { headed: marked } : {}) };
}

/** The most columns and empty rows that a position may claim. */
const AT_MOST = 100_000;

/** Where a cell stands, and how many rows and columns it covers. */
function placeOf(cell: OfficeContentNode | undefined): Omit<Merged, 'col'> & { col: number | undefined } {
  const at: object = cell?.metadata ?? {};
  const number = (name: string) => {
    const value: unknown = name in at ? at[name as keyof typeof at] : undefined;
    return typeof value === 'number' ? value : undefined;
  };
  const col = number('col');
  return {
    row: Math.min(number('row') ?? 0, AT_MOST),
    col: col !== undefined && col < 16_384 ? col : undefined,
    down: number('rowSpan') ?? 1,
    across: number('colSpan') ?? 1,
  };
}

const nameOf = ({ metadata }: OfficeContentNode) =>
  metadata !== undefined && 'sheetName' in metadata ? String(metadata.sheetName).slice(0, 80) : '';

const numberOf = ({ metadata }: OfficeContentNode) =>
  metadata !== undefined && 'slideNumber' in metadata ? String(metadata.slideNumber) : '';

/** The footnotes and comments of a part, after it; each once. */
function asides(node: OfficeContentNode, noted: Set<OfficeContentNode>): string {
  let text = '';
  for (const [word, notes] of [
    ['Note', node.notes],
    ['Comment', node.comments],
  ] as const) {
    for (const note of notes ?? []) {
      if (noted.has(note)) continue;
      noted.add(note);
      const words = oneLine(textOf(note));
      if (words !== '') text += `\n(${word}: ${words})`;
    }
  }
  // A table's cells are followed by their own.
  if (node.type !== 'table') for (const child of node.children ?? []) text += asides(child, noted);
  return text;
}

const oneLine = (text: string) => text.split(/\s+/).join(' ').trim();
