import { describe, expect, it } from 'vitest';
import { eastAsianPdf, pdfPage, shownText, wordOf } from '../../testing/documents.ts';
import type { DocumentKind } from './extract.ts';
import { readDocument } from './read-document.ts';

// What programs write, and what people see of it. Each row of these tables is a document of its own.

const run = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;

describe('a Word document', () => {
  it.each<[name: string, body: string, text: string]>([
    [
      'hyphens that don’t break',
      run('<w:t>021</w:t><w:noBreakHyphen/><w:t>555</w:t><w:noBreakHyphen></w:noBreakHyphen><w:t>1</w:t>'),
      '021‑555‑1',
    ],
    ['places where words may break', run('<w:t>tempera</w:t><w:softHyphen/><w:t>tu\u00adre</w:t>'), 'temperature'],
    [
      'symbols',
      run(
        '<w:sym w:font="Wingdings" w:char="F0FC"/><w:t> done, 5 </w:t><w:sym w:font="Symbol" w:char="F06D"/><w:t>m</w:t>',
      ),
      '✓ done, 5 μm',
    ],
    [
      'letters of a picture font',
      run('<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr><w:t>ü</w:t>') + run('<w:t>ü</w:t>'),
      '✓\nü',
    ],
    [
      'breaks and tabs',
      run(
        '<w:t>one</w:t><w:br/><w:t>two</w:t><w:cr/><w:t>three</w:t><w:tab/><w:t>four</w:t><w:ptab w:alignment="right"/><w:t>five</w:t>',
      ),
      'one\ntwo\nthree four five',
    ],
    [
      'a reading',
      run(
        '<w:t>陶</w:t><w:ruby><w:rubyPr><w:hps w:val="10"/></w:rubyPr><w:rt><w:r><w:t>かま</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>窯</w:t></w:r></w:rubyBase></w:ruby><w:t>で</w:t>',
      ),
      '陶窯(かま)で',
    ],
    [
      'a ticked box and a choice',
      run(
        '<w:t>Yes </w:t><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar><w:fldChar w:fldCharType="end"/>',
      ) +
        run(
          '<w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/></w:ddList></w:ffData></w:fldChar><w:fldChar w:fldCharType="end"/>',
        ),
      'Yes ☒\nBlue',
    ],
    [
      'merged cells',
      `<w:tbl><w:tr>${cell('Quarter', '<w:vMerge w:val="restart"/>')}${cell('Sales', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('East')}${cell('West')}</w:tr><w:tr>${cell('Q1')}${cell('100')}${cell('200')}</w:tr></w:tbl>`,
      'Quarter; Sales East; Sales West\nQuarter: Q1; Sales East: 100; Sales West: 200',
    ],
  ])('with %s', async (_name, body, text) => {
    expect(await shownText('docx', wordOf(body))).toBe(text);
  });

  it('of Word on the web, whose main part has a number', async () => {
    expect(await shownText('docx', wordOf(run('<w:t>a</w:t><w:noBreakHyphen/>'), 'word/document2.xml'))).toBe('a‑');
  });
});

describe('a text', () => {
  it.each<[name: string, kind: DocumentKind, data: string, text: string]>([
    ['JSON with comments', 'json', '{\n  // how hot\n  "max": 1200,\n}', '{\n// how hot\n"max": 1200,\n}'],
    ['JSON lines under the name of JSON', 'json', '{"a":1}\r\n\n{"a":2}\n', 'a: 1\na: 2'],
    [
      'JSON with numbers that would be rounded',
      'json',
      '{"id": 12345678901234567890, "more": [{"seen": 3, "id": -12345678901234567890}]}',
      'id: 12345678901234567890\nseen: 3; id: -12345678901234567890',
    ],
    [
      'YAML with values that only look like numbers',
      'yaml',
      'phone: 0215551234\nversion: 1.10\nopen: yes\nowner: null\nnote:\nmode: !!int 0o17\nbase: &base\n  port: 1_000\nlive:\n  <<: *base',
      'phone: 0215551234\nversion: 1.10\nopen: yes\nowner: null\nnote:\nmode: 0o17\nbase.port: 1_000\nlive.<<.port: 1_000',
    ],
    ['JSON with what has no number', 'json', '{"a": NaN}', '{"a": NaN}'],
    ['one value under the name of lines', 'jsonl', '[\n  {"a": 1},\n  {"a": 2}\n]', 'a: 1\na: 2'],
    ['headings alone', 'csv', 'Name,Price,Stock\n', 'Name; Price; Stock'],
    ['headings above empty rows', 'csv', 'Name;Price;Stock\r\n;;\r\n', 'Name; Price; Stock'],
    [
      'rows and columns of a page',
      'html',
      '<table><tr><th>Region</th><th colspan="2">Revenue</th></tr><tr><td rowspan="2">North</td><td>10</td><td>20</td></tr><tr><td>11</td><td>21</td></tr></table>',
      'Region: North; Revenue: 10; Revenue: 20\nRegion: North; Revenue: 11; Revenue: 21',
    ],
    [
      'two rows of headings',
      'html',
      '<table><tr><th rowspan=2>Day</th><th colspan=2>Open</th></tr><tr><th>From</th><th>To</th></tr><tr><td>Fri</td><td>8</td><td>12</td></tr></table>',
      'Day: Fri; Open From: 8; Open To: 12',
    ],
    [
      'spans without end',
      'html',
      '<table><tr><td rowspan=0>a</td><td colspan=100000000>b</td></tr><tr><td>1</td><td>2</td></tr><tr><td rowspan="-3">3</td><td colspan=x>4</td></tr></table>',
      'a: b\na: a; b: 1; b: 2\na: a; b: 3; b: 4',
    ],
    [
      'readings',
      'html',
      '<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby><ruby>字<rt>ji</rt></ruby></p>',
      '漢(kan)字(ji)',
    ],
    [
      'a table with a caption',
      'html',
      '<table><caption>Prices <b>2026</b></caption><tr><th>Service</th><th>Price</th></tr><tr><td>Roof</td><td>480</td></tr></table>',
      'Prices 2026\nService: Roof; Price: 480',
    ],
    [
      'cells that lay out a page',
      'html',
      '<table><tr><td>Order total</td><td>R480</td></tr></table><table><tr><td><table><tr><td>Menu</td></tr></table></td><td><p>Hello</p></td></tr></table>',
      'Order total R480\nMenu\nHello',
    ],
    [
      'parts of a page',
      'html',
      '<header>The Kiln</header><nav>Home</nav><address>1 Main Road</address><figure><img><figcaption>A kiln</figcaption></figure><details><summary>When?</summary>Daily</details>All days<footer>2026</footer>',
      'The Kiln\nHome\n1 Main Road\nA kiln\nWhen?\nDaily\nAll days\n2026',
    ],
    ['places where words may break', 'html', '<p>tempera&shy;ture</p>', 'temperature'],
  ])('of %s', async (_name, kind, data, text) => {
    expect(await shownText(kind, data)).toBe(text);
  });
});
const HELVETICA = ['/Font << /F1 5 0 R >>', ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']] as const;
const lines = (...texts: string[]) =>
  pdfPage(`BT /F1 12 Tf 14 TL 50 700 Td ${texts.map((text) => `(${text}) Tj T*`).join(' ')} ET`, HELVETICA[0], [
    ...HELVETICA[1],
  ]);

describe('a PDF', () => {
  it.each<[name: string, data: Buffer, text: string]>([
    ['Shift JIS', eastAsianPdf('90ms-RKSJ-H', 'Japan1', '93fa967b8cea82cc83658358836782c582b7'), '日本語のテストです'],
    ['UTF-16 of Japan', eastAsianPdf('UniJIS-UTF16-H', 'Japan1', '65e5672c'), '日本'],
    ['numbers of characters', eastAsianPdf('Identity-H', 'Japan1', '0d2f0d30'), '漠爆'],
    ['GBK', eastAsianPdf('GBK-EUC-H', 'GB1', 'd6d0cec4'), '中文'],
    ['Big5', eastAsianPdf('ETen-B5-H', 'CNS1', 'a4a4a4e5'), '中文'],
    ['Korean', eastAsianPdf('KSCms-UHC-H', 'Korea1', 'c7d1b1db'), '한글'],
    [
      'words that lines break',
      lines('The kiln tempera-', 'ture must rise in a state-of-the-', 'art kiln, 1-', '2 hours.'),
      'The kiln temperature must rise in a state-of-the-\nart kiln, 1-\n2 hours.',
    ],
  ])('in %s', async (_name, data, text) => {
    expect(await shownText('pdf', data)).toBe(text);
  });

  it('with a short text and a line is no picture', async () => {
    const page = pdfPage('0 0 m 50 50 l S BT /F1 12 Tf 50 700 Td (Page 1) Tj ET', HELVETICA[0], [...HELVETICA[1]]);
    const options = { recognize: 'later' as const, progress: () => {}, failed: () => {} };
    expect((await readDocument('pdf', new Uint8Array(page), options)).pictures).toBeUndefined();
    const drawn = pdfPage('0 0 m 50 50 l S');
    expect((await readDocument('pdf', new Uint8Array(drawn), options)).pictures).toBe(true);
  });

  it('is recognized only as long as there is time', async () => {
    const options = { recognize: 'now' as const, until: 0, progress: () => {}, failed: () => {} };
    const reading = readDocument('pdf', new Uint8Array(pdfPage('0 0 m 50 50 l S')), options);
    await expect(reading).rejects.toThrow('no time to recognize');
  });
});
