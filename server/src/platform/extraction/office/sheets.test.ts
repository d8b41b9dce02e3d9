import { describe, expect, it } from 'vitest';
import { odsOf, shownText, workbookOf } from '../../../testing/documents.ts';

// Each row of these tables is a document of its own.

const cells = (...values: string[]) => `<row>${values.join('')}</row>`;
const word = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

describe('a number of a workbook is read as Excel shows it', () => {
  it.each<[format: string | number, value: number, shown: string]>([
    ['General', 0.1 + 0.2, '0.3'],
    ['General', 115 - 1e-14, '115'],
    ['General', 1234567890123, '1234567890123'],
    ['[h]:mm', 1.6875, '40:30'],
    ['[h]:mm:ss', 1 / 3, '8:00:00'],
    ['[mm]:ss', 0.0625, '90:00'],
    ['[ss]', 0.001, '86'],
    ['mm:ss', 0.003, '04:19'],
    ['mm:ss.0', 0.0001, '00:08.6'],
    ['h:mm AM/PM', 0.6875, '4:30 PM'],
    ['00000', 1234, '01234'],
    ['000-00-0000', 12345678, '012-34-5678'],
    ['0%', 0.07, '7%'],
    ['0.0%', 0.075, '7.5%'],
    ['$#,##0.00', 1234.5, '$1,234.50'],
    ['#,##0.00\\ [$€-1]', 1234.5, '1,234.50 €'],
    ['"R" #,##0.00', 275, 'R 275.00'],
    ['# ?/?', 1.5, '1 1/2'],
    ['# ??/??', 0.34375, '11/32'],
    ['#,##0', 1234567, '1,234,567'],
    ['0.0,,"M"', 1234567, '1.2M'],
    ['0.00E+00', 12345, '1.23E+04'],
    ['0.00;[Red](0.00);"none"', -5, '(5.00)'],
    ['0.00;[Red](0.00);"none"', 0, 'none'],
    ['[>=1000]0.0,"k";0', 1500, '1.5k'],
    ['_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', -1234.5, '(1,234.50)'],
    ['0" pcs"', 3, '3 pcs'],
    ['yyyy-mm-dd', 46113, '2026-04-01'],
    ['d mmm yyyy', 46113, '1 Apr 2026'],
    ['dd/mm/yyyy', 46113, '01/04/2026 (2026-04-01)'],
    ['dddd', 46113, 'Wednesday'],
    [14, 46113, '2026-04-01'],
    [22, 46113.5, '2026-04-01 12:00'],
    [4, 1234.5, '1,234.50'],
    [10, 0.075, '7.50%'],
    [45, 0.003, '04:19'],
    [46, 1.6875, '40:30:00'],
  ])('%s: %s is %s', async (format, value, shown) => {
    expect(
      await shownText(
        'xlsx',
        workbookOf(`<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`, { formats: [format] }),
      ),
    ).toBe(shown);
  });
});

const merged = (...ranges: string[]) =>
  `<mergeCells>${ranges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;
const at = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
const strings =
  '<si><t>Name</t></si><si><r><t>Ri</t></r><r><t>ch</t></r></si><si><t>base</t><rPh sb="0" eb="1"><t>ヨミ</t></rPh></si>';

describe('a workbook', () => {
  it.each<[name: string, data: Buffer, text: string]>([
    [
      'dates since 1904',
      workbookOf(cells(number(44651, 1)), { formats: [14], properties: '<workbookPr date1904="1"/>' }),
      '2026-04-01',
    ],
    [
      'durations beside dates since 1904',
      workbookOf(cells(number(1.6875, 1)), { formats: ['[h]:mm'], properties: '<workbookPr date1904="true"/>' }),
      '40:30',
    ],
    [
      'a format of texts',
      workbookOf(cells('<c t="inlineStr" s="1"><is><t>Ada</t></is></c>'), { formats: ['0;-0;0;"Dear "@'] }),
      'Dear Ada',
    ],
    [
      'no references',
      workbookOf(
        `${cells('<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>', '<c t="s"><v>2</v></c>')}${cells(number(5), number(6))}`,
        { strings },
      ),
      'Name: 5; Rich: 6',
    ],
    [
      'a gap between references',
      workbookOf('<row r="2"><c r="B2"><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>'),
      '1: 2\n3',
    ],
    [
      'prefixes',
      workbookOf(
        '</sheetData></worksheet><x:worksheet><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet><worksheet><sheetData>',
      ),
      '7',
    ],
    [
      'errors, truths and a day',
      workbookOf(
        cells(
          '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
          '<c t="b"><v>1</v></c>',
          '<c t="d"><v>2026-04-01T00:00:00</v></c>',
        ),
      ),
      '#DIV/0!; TRUE; 2026-04-01',
    ],
    [
      'formulas without results',
      workbookOf(cells('<c><f>B2*1.15</f><v></v></c>', '<c><f>SUM(A1)</f></c>', '<c><f t="shared" si="0"/><v/></c>')),
      'no stored result (=B2*1.15); no stored result (=SUM(A1)); no stored result',
    ],
    [
      'a formula whose result is no text',
      workbookOf(cells(word('x'), '<c t="str"><f>IF(1,"","")</f><v></v></c>', word('y'))),
      'x: y',
    ],
    ['control characters', workbookOf(cells(word('a_x000D_\nb_x005F_x'))), 'a b_x'],
    [
      'headings alone',
      workbookOf(cells(word('Name'), word('Price'), word('Stock')) + cells('<c/>')),
      'Name; Price; Stock',
    ],
    [
      'merged headings and rows',
      workbookOf(
        `<row>${at('A1', 'Region')}${at('B1', 'Revenue')}</row><row>${at('B2', 'Q1')}${at('C2', 'Q2')}</row><row>${at('A3', 'North')}<c r="B3"><v>10</v></c><c r="C3"><v>20</v></c></row><row><c r="B4"><v>11</v></c><c r="C4"><v>21</v></c></row>`,
        { after: merged('A1:A2', 'B1:C1', 'A3:A4') },
      ),
      'Region: North; Revenue Q1: 10; Revenue Q2: 20\nRegion: North; Revenue Q1: 11; Revenue Q2: 21',
    ],
    [
      'a merged title',
      workbookOf(
        `<row>${at('A1', 'Prices')}</row>${cells(word('Item'), word('Net'), word('Gross'))}${cells(word('Oar'), number(1), number(2))}`,
        { after: merged('A1:C1') },
      ),
      'Prices\nItem: Oar; Net: 1; Gross: 2',
    ],
    [
      'cells merged without end',
      workbookOf(cells(word('a'), word('b')) + cells(number(1), number(2)), {
        after: merged('A1:XFD1048576', 'B2:A1', 'nonsense'),
      }),
      'a: 1; b: 2',
    ],
  ])('with %s', async (_name, data, text) => {
    expect(await shownText('xlsx', data)).toBe(text);
  });
});

const TIME_STYLE =
  '<number:time-style style:name="N1" number:truncate-on-overflow="false"><number:hours/><number:text>:</number:text><number:minutes number:style="long"/></number:time-style>';
const style = (number: string) =>
  `${number}<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>`;
const value = (type: string, attribute: string) =>
  `<table:table-row><table:table-cell table:style-name="ce1" office:value-type="${type}" ${attribute}/></table:table-row>`;

describe('an OpenDocument spreadsheet', () => {
  it.each<[name: string, rows: string, styles: string, text: string]>([
    [
      'what it shows',
      '<table:table-row><table:table-cell office:value-type="time" office:time-value="PT40H30M00S"><text:p>40:30</text:p></table:table-cell></table:table-row>',
      '',
      '40:30',
    ],
    ['a duration without its text', value('time', 'office:time-value="PT40H30M00S"'), style(TIME_STYLE), '40:30'],
    [
      'a padded number',
      value('float', 'office:value="1234"'),
      style(
        '<number:number-style style:name="N1"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>',
      ),
      '01234',
    ],
    [
      'a percentage',
      value('percentage', 'office:value="0.075"'),
      style(
        '<number:percentage-style style:name="N1"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>',
      ),
      '7.5%',
    ],
    [
      'a currency',
      value('currency', 'office:value="1234.5" office:currency="ZAR"'),
      style(
        '<number:currency-style style:name="N1"><number:currency-symbol>R</number:currency-symbol><number:text> </number:text><number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:currency-style>',
      ),
      'R 1,234.50',
    ],
    [
      'a fraction',
      value('float', 'office:value="1.5"'),
      style(
        '<number:number-style style:name="N1"><number:fraction number:min-numerator-digits="1" number:min-denominator-digits="1"/></number:number-style>',
      ),
      '1 1/2',
    ],
    [
      'a day',
      value('date', 'office:date-value="2026-04-01"'),
      style(
        '<number:date-style style:name="N1"><number:day/><number:text> </number:text><number:month number:textual="true"/><number:text> </number:text><number:year number:style="long"/></number:date-style>',
      ),
      '1 Apr 2026',
    ],
    [
      'values without styles',
      `${value('currency', 'office:value="5" office:currency="EUR"')}${value('boolean', 'office:boolean-value="true"')}${value('string', 'office:string-value="a &amp; b"')}`,
      '',
      '5 EUR\nTRUE\na & b',
    ],
    [
      'a formula without result',
      '<table:table-row><table:table-cell table:formula="of:=SUM([.A1])"></table:table-cell></table:table-row>',
      '',
      'no stored result (=SUM([.A1]))',
    ],
    [
      'merged cells',
      '<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>North</text:p></table:table-cell><table:table-cell><text:p>10</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/><table:table-cell><text:p>11</text:p></table:table-cell></table:table-row>',
      '',
      'North: 10\nNorth: 11',
    ],
  ])('with %s', async (_name, rows, styles, text) => {
    expect(await shownText('ods', odsOf(rows, styles))).toBe(text);
  });
});
