import { dateToSerial } from 'numfmt';
import { amendXml, escaped } from './amend-xml.ts';
import { cellText, unsolved } from './cell-text.ts';
import { formatsIn } from './open-formats.ts';

/** The most columns that share a style. */
const COLUMNS_MAX = 16_384;
const PLAIN = new Map([
  ['percentage', '0.00%'],
  ['date', 'yyyy-mm-dd'],
  ['time', '[hh]:mm:ss'],
]);

/** An OpenDocument spreadsheet: gives cells that have only a value the text that their style shows. */
export function amendCells(xml: string, styles: string): string {
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
