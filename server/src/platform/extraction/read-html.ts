import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { decodeText } from './decode-text.ts';
import { watchNesting } from './nesting.ts';
import type { Document, Link, Section } from './passages.ts';
import { type Merged, type Table, tableText } from './tables.ts';

const BLOCK =
  /^(?:P|DIV|SECTION|ARTICLE|MAIN|HEADER|FOOTER|NAV|ASIDE|ADDRESS|CENTER|LI|UL|OL|MENU|TR|TABLE|CAPTION|BR|HR|BLOCKQUOTE|PRE|H[1-6]|DT|DD|FIGURE|FIGCAPTION|FORM|FIELDSET|LEGEND|DETAILS|SUMMARY)$/;

/** Links of a page that are kept and that are looked at, and the longest words and address of one. */
const LINKS_MAX = 40;
const LOOKED_AT_MAX = 500;
const LINK_MAX = 60;
const HREF_MAX = 300;

/** A web document, one section per heading. Throws Unreadable for one that is nested too deeply. */
export function readHtml(data: Uint8Array): Required<Pick<Document, 'title' | 'sections'>> {
  const html = decodeText(data);
  watchNesting('html')(html);
  const { document } = parseHTML(html);
  const title = document.querySelector('title')?.textContent ?? '';
  const sections: Section[] = [{ place: 'beginning', text: '' }];
  // A page without <html> has several roots.
  walk([...document.childNodes] as unknown as Node[], sections);
  return { title: title.trim().slice(0, 300), sections: () => sections };
}

/** No recursion: a page may be nested deeper than the stack. */
function walk(roots: Node[], sections: Section[]): void {
  const stack: (Node | string)[] = roots.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const last = sections.at(-1);
    if (last === undefined) return;
    if (typeof node === 'string') {
      last.text += node;
    } else if (node.nodeType === 3) {
      last.text += node.textContent ?? '';
    } else if (node.nodeType === 1 && !SILENT.has(node.nodeName.toUpperCase())) {
      const name = node.nodeName.toUpperCase();
      const table = name === 'TABLE' ? dataTable(node) : undefined;
      if (table !== undefined) {
        last.text += `\n\n${captionOf(node)}\n${tableText(table)}\n\n`;
        continue;
      }
      if (/^H[1-6]$/.test(name)) {
        const heading = (node.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
        if (heading !== '') sections.push({ place: `“${heading.slice(0, 80)}”`, text: `${heading}\n` });
        continue;
      }
      if (BLOCK.test(name)) stack.push('\n');
      if (isCell(node)) stack.push('\t');
      // How characters are pronounced, in parentheses, whether or not the page has some for old browsers.
      if (name === 'RT') stack.push(')');
      // One by one: a page may have more children than a call takes arguments.
      for (const child of [...node.childNodes].toReversed()) stack.push(child);
      if (name === 'RT') stack.push('(');
      if (BLOCK.test(name)) stack.push('\n');
    }
  }
}

/** The main text of a page, without menus and adverts but with all tables, and its links; all of the text when that fails. */
export function readArticle(data: Uint8Array): Required<Pick<Document, 'title' | 'sections' | 'links'>> {
  const whole = { ...readHtml(data), links: [] as Link[] };
  try {
    const { document } = parseHTML(decodeText(data));
    whole.links = linksOf(document);
    const tables = ([...document.querySelectorAll('table')] as unknown as Node[]).flatMap(
      (node) => dataTable(node) ?? [],
    );
    const article = new Readability(document, { maxElemsToParse: 50_000 }).parse();
    const text = article?.textContent?.trim() ?? '';
    if (article?.content && text.length > 200) {
      const { sections } = readHtml(new TextEncoder().encode(`<html><body>${article.content}</body></html>`));
      const title = article.title?.slice(0, 300) || whole.title;
      return { ...whole, title, sections: () => [...sections(), ...beside(sections(), tables)] };
    }
  } catch {
    // It rejects some pages; those are read as a whole.
  }
  return whole;
}

/** Where a page leads on to, its text before its menus. */
function linksOf(document: ReturnType<typeof parseHTML>['document']): Link[] {
  const base = document.querySelector('base')?.getAttribute('href') ?? '';
  const [main, menus]: [Map<string, string>, Map<string, string>] = [new Map(), new Map()];
  for (const anchor of [...document.querySelectorAll('a[href]')].slice(0, LOOKED_AT_MAX)) {
    const written = anchor.getAttribute('href')?.trim() ?? '';
    const href = URL.parse(written, base)?.href ?? written;
    const text = (anchor.textContent ?? '').split(/\s+/u).join(' ').trim().slice(0, LINK_MAX).toWellFormed();
    const place = anchor.closest('nav, header, footer, aside') === null ? main : menus;
    if (!/^(?:#|$)/u.test(written) && href.length <= HREF_MAX && !place.has(href)) place.set(href, text);
  }
  const links = [...new Map([...main, ...menus])].slice(0, LINKS_MAX);
  return links.map(([href, text]) => ({ text, href }));
}

/** Opening hours and prices often stand beside what counts as the article. */
function beside(article: Iterable<Section>, tables: Table[]): Section[] {
  const text = [...article].map((section) => section.text).join('\n');
  const missing = tables.map(tableText).filter((table) => !text.includes(table));
  return missing.length === 0 ? [] : [{ place: 'tables beside the article', text: missing.join('\n\n') }];
}

/** What reading HTML needs of linkedom's nodes; the real types belong to a browser. */
interface Node {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  childNodes: Iterable<Node>;
  getAttribute?(name: string): string | null;
}

/** Elements whose text nobody sees. */
const SILENT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'IFRAME', 'OBJECT', 'TITLE', 'SELECT', 'RP']);

/** As far as browsers go. */
const SPAN_MAX = { rowspan: 65_534, colspan: 1_000 };
const CELLS_MAX = 500_000;

/** A table of data; undefined for one that only lays out a page: with another inside of it, a single column or a single row. */
function dataTable(table: Node): Table | undefined {
  const rows: string[][] = [];
  const merged: Merged[] = [];
  let headed = false;
  let cells = 0;
  /** The row below the cells that reach down, by column. */
  const below = new Map<number, number>();
  const tableRows = rowsIn(table);
  if (tableRows === undefined) return undefined;
  for (const [at, row] of tableRows.entries()) {
    const values: string[] = [];
    const own = [...row.childNodes].filter((node) => isCell(node));
    let col = 0;
    for (const cell of own) {
      for (; (below.get(col) ?? 0) > at; col += 1) cells += 1;
      const [down, across] = [spanOf(cell, 'rowspan'), spanOf(cell, 'colspan')];
      values[col] = cellText(cell);
      if (down > 1 || across > 1) merged.push({ row: at, col, down, across });
      if (down > 1) for (let i = 0; i < across; i += 1) below.set(col + i, at + down);
      col += across;
      cells += across;
      if (cells > CELLS_MAX) return undefined;
    }
    if (at === 0) headed = own.length > 0 && own.every((cell) => nameOf(cell) === 'TH');
    rows.push(Array.from(values, (value) => value ?? ''));
  }
  const wide = rows.filter((row) => row.filter((cell) => cell !== '').length > 1).length;
  return rows.length > 1 && wide > 1 ? { rows, merged, ...(headed ? { headed } : {}) } : undefined;
}

function captionOf(table: Node): string {
  const caption = [...table.childNodes].find((node) => nameOf(node) === 'CAPTION');
  return caption === undefined ? '' : cellText(caption);
}

/** The rows of a table; undefined when another table is inside of it. */
function rowsIn(table: Node): Node[] | undefined {
  const rows: Node[] = [];
  const stack = [...table.childNodes].toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.nodeType !== 1) continue;
    const name = nameOf(node);
    if (name === 'TABLE') return undefined;
    if (name === 'TR') rows.push(node);
    for (const child of [...node.childNodes].toReversed()) stack.push(child);
  }
  return rows;
}

const nameOf = (node: Node) => node.nodeName.toUpperCase();
const isCell = (node: Node) => node.nodeType === 1 && (nameOf(node) === 'TD' || nameOf(node) === 'TH');

function spanOf(cell: Node, name: keyof typeof SPAN_MAX): number {
  // Browsers read the digits that it begins with; 0 rows are all that follow.
  const span = Number.parseInt(cell.getAttribute?.(name) ?? '1', 10);
  if (span === 0 && name === 'rowspan') return SPAN_MAX[name];
  return span > 1 ? Math.min(span, SPAN_MAX[name]) : 1;
}

function cellText(cell: Node): string {
  let text = '';
  const stack = [...cell.childNodes].toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.nodeType === 3) text += node.textContent ?? '';
    if (node.nodeType !== 1 || SILENT.has(nameOf(node))) continue;
    // Lines and paragraphs of a cell don't run into each other.
    text += ' ';
    for (const child of [...node.childNodes].toReversed()) stack.push(child);
  }
  return text.split(/\s+/).join(' ').trim();
}
