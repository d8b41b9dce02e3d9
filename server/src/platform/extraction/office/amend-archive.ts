import { codePoint } from 'dingbat-to-unicode';
import { unzipSync, zipSync } from 'fflate';
import { type Handler, Parser } from 'htmlparser2';
import { dateToSerial } from 'numfmt';
import { cellText, unsolved } from './cell-text.ts';
import { formatsIn } from './open-formats.ts';
import { partsOf } from './unzip.ts';

/** What officeparser loses, by kind: in which parts, and how it is written so that it doesn't. */
const AMENDED = new Map<string, { parts: RegExp; amend: (xml: string, styles: string) => string }>([
  ['docx', { parts: /^word\/(?:document|footnotes|endnotes|comments|header|footer)\d{0,4}\.xml$/, amend: amendRuns }],
  ['pptx', { parts: /^ppt\/(?:slides|notesSlides)\/[^/]{1,80}\.xml$/, amend: amendRuns }],
  ['ods', { parts: /^content\.xml$/, amend: amendCells }],
]);

/** A measured archive whose parts say what officeparser would lose in words that it knows. */
export async function amendArchive(kind: string, data: Uint8Array): Promise<Uint8Array> {
  const { parts, amend } = AMENDED.get(kind) ?? {};
  if (parts === undefined || amend === undefined) return data;
  const [styles] = await partsOf(data, (name) => name === 'styles.xml');
  const changed = new Map<string, Uint8Array>();
  for (const { name, text } of await partsOf(data, (path) => parts.test(path))) {
    const amended = amend(text, styles?.text ?? '');
    if (amended !== text) changed.set(name, new TextEncoder().encode(amended));
  }
  return changed.size === 0 ? data : zipSync({ ...unzipSync(data), ...Object.fromEntries(changed) }, { level: 0 });
}

/** The most columns that share a style. */
const COLUMNS_MAX = 16_384;
const PLAIN = new Map([
  ['percentage', '0.00%'],
  ['date', 'yyyy-mm-dd'],
  ['time', '[hh]:mm:ss'],
]);

/** An OpenDocument spreadsheet: gives cells that have only a value the text that their style shows. */
function amendCells(xml: string, styles: string): string {
  const formats = formatsIn([styles, xml]);
  let columns: (string | undefined)[] = [];
  let rowStyle: string | undefined;
  let cell: { attributes: Record<string, string>; col: number } | undefined;
  let [col, isNote] = [0, false];
  return amendXml(xml, (replace, position) => ({
    onopentag(name, attributes) {
      const times = Math.min(Number(attributes['table:number-columns-repeated'] ?? 1) || 1, COLUMNS_MAX);
      if (name === 'table:table') columns = [];
      if (name === 'table:table-column' && columns.length < COLUMNS_MAX)
        columns.push(...Array.from({ length: times }, () => attributes['table:default-cell-style-name']));
      if (name === 'table:table-row') [col, rowStyle] = [0, attributes['table:default-cell-style-name']];
      if (name === 'table:table-cell') cell = { attributes, col };
      if (name === 'table:table-cell' || name === 'table:covered-table-cell') col += times;
      if (name === 'office:annotation') isNote = true;
      if (name === 'text:p' && !isNote) cell = undefined;
    },
    onclosetag(name, isImplied) {
      if (name === 'office:annotation') isNote = false;
      if (name !== 'table:table-cell' || cell === undefined) return;
      const style = cell.attributes['table:style-name'] ?? rowStyle ?? columns[cell.col] ?? '';
      const text = textOf(cell.attributes, formats.get(style));
      cell = undefined;
      if (text === '') return;
      const tag = isImplied ? `${xml.slice(position()[0], position()[1] - 2)}>` : '';
      replace(`${tag}<text:p>${escaped(text)}</text:p></${name}>`);
    },
  }));
}

/** What a cell shows by its value and its number format. */
function textOf(attributes: Record<string, string>, pattern: string | undefined): string {
  const type = attributes['office:value-type'] ?? attributes['calcext:value-type'] ?? '';
  const show = (value: number) => cellText(value, pattern ?? PLAIN.get(type) ?? 'General');
  if (type === 'boolean') return attributes['office:boolean-value'] === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'string') return attributes['office:string-value'] ?? '';
  if (type === 'date') {
    const parts = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?/.exec(attributes['office:date-value'] ?? '');
    return parts === null ? '' : show(dateToSerial(parts.slice(1).map((part) => Number(part ?? 0))) ?? 0);
  }
  if (type === 'time') {
    const parts = /^-?PT(\d{1,9})H(\d{1,9})M(\d{1,9}(?:[.,]\d{1,9})?)S$/.exec(attributes['office:time-value'] ?? '');
    const [hours = 0, minutes = 0, seconds = 0] = (parts ?? []).slice(1).map((part) => Number(part.replace(',', '.')));
    return parts === null ? '' : show(hours / 24 + minutes / 1_440 + seconds / 86_400);
  }
  const value = attributes['office:value'];
  if (value !== undefined)
    return `${show(Number(value))} ${pattern === undefined ? (attributes['office:currency'] ?? '') : ''}`.trim();
  const formula = attributes['table:formula'];
  return formula === undefined ? '' : unsolved(formula.replace(/^[a-z]{1,10}:=?/, ''));
}

/** Puts markup in place of the tag or text that is being read, or of all since an earlier position. */
type Replace = (markup: string, from?: number) => void;

/** Rewrites some of an XML text and keeps the rest as it is. The listener is given where the tag or text begins and ends, too. */
function amendXml(
  xml: string,
  listen: (replace: Replace, position: () => [from: number, to: number]) => Partial<Handler>,
): string {
  const pieces: string[] = [];
  let end = 0;
  const replace: Replace = (markup, from = parser.startIndex) => {
    pieces.push(xml.slice(end, from), markup);
    end = parser.endIndex + 1;
  };
  const parser: Parser = new Parser(
    listen(replace, () => [parser.startIndex, parser.endIndex + 1]),
    { xmlMode: true },
  );
  parser.end(xml);
  return pieces.join('') + xml.slice(end);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Only a text with one of these loses something. */
const LOST = /<w:(?:noBreakHyphen|ptab|sym|ruby|ffData)\b|"(?:Symbol|Webdings|Wingdings[^"]{0,2})"/;
/** Picture fonts have a range of their own. */
const FIRST_SYMBOL = 0xf0_00;
const isPictures = (font: string) => /^(?:Symbol|Webdings|Wingdings)/i.test(font);
const REPLACED = new Set(['w:noBreakHyphen', 'w:ptab', 'w:sym']);

/** Word and PowerPoint: writes hard hyphens, symbols, tabs of headers, readings of characters and chosen form values as text. */
function amendRuns(xml: string): string {
  if (!LOST.test(xml)) return xml;
  let [font, symbolFont, isText, reading, readingFrom] = ['', '', false, '', -1];
  let chosen: string | undefined;
  let choices: string[] = [];
  return amendXml(xml, (replace, position) => ({
    onopentag(name, { 'w:val': value = '', ...attributes }) {
      isText = name === 'w:t' || name === 'a:t';
      if (name === 'w:r' || name === 'a:r') [font, symbolFont] = ['', ''];
      if (name === 'w:rFonts') font = attributes['w:ascii'] ?? '';
      if (name === 'a:latin') font = attributes.typeface ?? '';
      if (name === 'a:sym') symbolFont = attributes.typeface ?? '';
      if (name === 'w:rt') [reading, readingFrom] = ['', position()[0]];
      if (readingFrom >= 0) return;
      if (name === 'w:noBreakHyphen') replace('<w:t>\u2011</w:t>');
      if (name === 'w:ptab') replace('<w:tab/>');
      if (name === 'w:sym') {
        const code = Number.parseInt(attributes['w:char'] ?? '', 16);
        replace(`<w:t>${escaped(symbolOf(attributes['w:font'] ?? '', code))}</w:t>`);
      }
      // What stands in a run, officeparser reads; what stands in a paragraph, with all below it.
      if (name === 'w:ruby') replace('</w:r>');
      if (name === 'w:fldChar') [chosen, choices] = [undefined, []];
      if (name === 'w:checkBox') chosen = '☐';
      if (name === 'w:ddList') chosen = '0';
      if (name === 'w:listEntry') choices.push(value);
      if (chosen !== undefined && /^w:(?:default|checked|result)$/.test(name))
        chosen = choices.length > 0 || chosen === '0' ? value : /^(?:0|false|off)$/.test(value) ? '☐' : '☒';
    },
    ontext(text) {
      if (readingFrom >= 0) reading += isText ? text : '';
      else if (isText && (isPictures(font) || isPictures(symbolFont)))
        replace(escaped(drawnText(text, font, symbolFont)));
    },
    onclosetag(name, isImplied) {
      isText = false;
      if (REPLACED.has(name) && !isImplied && readingFrom < 0) replace('');
      if (name === 'w:rt') {
        replace('', readingFrom);
        readingFrom = -1;
      }
      if (name === 'w:rubyBase')
        replace(`</${name}>${reading === '' ? '' : `<w:r><w:t>(${escaped(reading)})</w:t></w:r>`}`);
      if (name === 'w:ruby') replace('<w:r>');
      const choice = choices[Number(chosen ?? 0)] ?? chosen;
      if (name === 'w:fldChar' && !isImplied && choice !== undefined)
        replace(`</${name}><w:t>${escaped(choice)}</w:t>`);
    },
  }));
}

/** A text in one font and, for characters of the range of picture fonts, in another. */
function drawnText(text: string, font: string, symbolFont: string): string {
  const drawn = [...text].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const used = code >= FIRST_SYMBOL && symbolFont !== '' ? symbolFont : font;
    return isPictures(used) && letter !== ' ' ? symbolOf(used, code) : letter;
  });
  return drawn.join('');
}

/** What a character of a picture font shows. */
function symbolOf(font: string, code: number): string {
  const point = codePoint(font, code) ?? codePoint(font, code % 0x1_00);
  if (point !== undefined) return point.string;
  return code >= 0x20 && code < 0xd8_00 ? String.fromCodePoint(code) : '□';
}
