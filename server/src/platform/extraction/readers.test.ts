import { describe, expect, it } from 'vitest';
import { docxOf } from '../../testing/documents.ts';
import { decodeText } from './decode-text.ts';
import { readOffice } from './office/read-office.ts';
import type { Document } from './passages.ts';
import { cutIntoPassages } from './passages.ts';
import { readArticle, readHtml } from './read-html.ts';
import { readMail } from './read-mail.ts';
import { rangesText } from './read-options.ts';
import { readRows } from './read-rows.ts';
import { readSubtitles } from './read-text.ts';
import { readJson, readYaml } from './read-values.ts';
import { readXml } from './read-xml.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding));
const textOf = (document: Document) => [...document.sections()].map(({ text }) => text.trim()).join('\n\n');

describe('text in any encoding', () => {
  const RUSSIAN = [
    0xd1, 0xea, 0xee, 0xeb, 0xfc, 0xea, 0xee, 0x20, 0xf1, 0xf2, 0xee, 0xe8, 0xf2, 0x20, 0xf0, 0xe5, 0xec, 0xee,
  ];
  const JAPANESE = [
    0x89, 0xae, 0x8d, 0xaa, 0x82, 0xcc, 0x8f, 0x43, 0x97, 0x9d, 0x82, 0xcd, 0x82, 0xa2, 0x82, 0xad, 0x82, 0xe7,
  ];
  it.each([
    ['UTF-8', bytes('Größe ≤ 5'), 'Größe ≤ 5'],
    ['UTF-8 with a mark', bytes('\ufeffGröße'), 'Größe'],
    ['UTF-16 with a mark', bytes('\ufeffGröße', 'utf16le'), 'Größe'],
    ['UTF-16 without one', bytes('Roof repair', 'utf16le'), 'Roof repair'],
    [
      'Western European',
      bytes('Die Größe des Daches und die Höhe der Wände.', 'latin1'),
      'Die Größe des Daches und die Höhe der Wände.',
    ],
    ['Russian', new Uint8Array([...RUSSIAN, 0x20, ...RUSSIAN]), 'Сколько стоит ремо Сколько стоит ремо'],
    ['Japanese', new Uint8Array([...JAPANESE, ...JAPANESE]), '屋根の修理はいくら屋根の修理はいくら'],
    [
      'what a page declares',
      bytes('<meta charset="iso-8859-2"><p>\u00b3', 'latin1'),
      '<meta charset="iso-8859-2"><p>ł',
    ],
    ['Japanese mail', bytes('\u001b$B20:,\u001b(B 480 \u001b$B1_\u001b(B', 'latin1'), '屋根 480 円'],
    ['with the colours of a terminal', bytes('\u001b[31mred\u001b[0m'), '\u001b[31mred\u001b[0m'],
  ])('%s', (_name, data, text) => {
    expect(decodeText(data)).toBe(text);
  });

  it.each([
    ['zeros', new Uint8Array([65, 0, 0, 0, 66, 1, 2])],
    ['control characters', new Uint8Array(1000).map((_, i) => (i * 7) % 32 || 1)],
  ])('bytes with %s are no text', (_name, data) => {
    expect(() => decodeText(data)).toThrow('bytes that text never has');
  });
});

it('a mailbox is read message by message, at most a thousand', async () => {
  const box = (count: number) =>
    bytes(
      Array.from({ length: count }, (_, at) => `From ada\r\nSubject: No. ${at + 1}\r\n\r\n>From\r\n>>From here`).join(
        '\r\n\r\n',
      ),
    );
  const never = () => Promise.reject(new Error('nothing is attached'));
  const two = await readMail(box(2), never);
  expect([...two.sections()].map(({ place, text }) => [place, text])).toEqual([
    ['message 1', 'Subject: No. 1\n\n>From\n>From here\n'],
    ['message 2', 'Subject: No. 2\n\n>From\n>From here\n'],
  ]);
  expect((await readMail(box(1_001), never)).only).toBe('1,000 messages');
});

describe('tables', () => {
  it('of a page are rows with their headings, across merged cells', () => {
    const html = `<table><tr><th>Day</th><th>From</th><th>To</th></tr>
      <tr><td rowspan=2>Friday</td><td>8</td><td>12</td></tr><tr><td>13</td><td>15</td></tr>
      <tr><td>Sunday</td><td colspan=2>closed</td></tr></table>`;
    expect(textOf(readHtml(bytes(html)))).toBe(
      'Day: Friday; From: 8; To: 12\n\nDay: Friday; From: 13; To: 15\n\nDay: Sunday; From: closed; To: closed',
    );
  });

  it('that only lay out a page are running text', () => {
    const inner = '<table><tr><th>Service</th><th>Price</th></tr><tr><td>Roof</td><td>480</td></tr></table>';
    const text = textOf(readHtml(bytes(`<table><tr><td>Menu</td><td>${inner}</td></tr></table>`)));
    expect(text).toContain('Menu');
    expect(text).toContain('Service: Roof; Price: 480');
  });

  it('beside an article belong to it, each once', () => {
    const table = '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>';
    const article = `<article><h1>T</h1>${'<p>Many words make an article that is long enough.</p>'.repeat(9)}${table}</article>`;
    expect(textOf(readArticle(bytes(`<html><body>${article}</body></html>`))).match(/A: 1; B: 2/g)).toHaveLength(1);
  });

  it.each([
    ['a title above the headings', 'Prices 2026\n\na,b,c\nx,y,z', 'Prices 2026\n\na: x; b: y; c: z'],
    ['no headings', '1,2\n3,4', '1: 2\n\n3: 4'],
    ['semicolons', 'Service;Price\nRoof;480', 'Service: Roof; Price: 480'],
    ['semicolons and an end of the last line', 'Service;Price\nRoof;480\n', 'Service: Roof; Price: 480'],
    ['tabs and empty lines', 'Service\tPrice\n\nRoof\t480\n\n', 'Service: Roof; Price: 480'],
    ['a cell with lines', 'a,b\n"x\ny",z', 'a: x y; b: z'],
    ['one row', 'a,b', 'a: b'],
    ['more cells than headings', 'a,b\nx,y,z', 'a: x; b: y; z'],
  ])('of values with %s', (_name, csv, text) => {
    expect(textOf(readRows(bytes(csv)))).toBe(text);
  });

  it('of a million letters name their columns once for many rows, and lose none', () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `${i},Boat ${i},red`);
    const { passages, only } = cutIntoPassages(readRows(bytes(`Number,Name,Colour\n${rows.join('\n')}\n`)).sections);
    expect(only).toBeNull();
    expect(passages.every(({ text }) => text.startsWith('Number; Name; Colour\n'))).toBe(true);
    expect(passages.at(-1)?.text).toContain('59999; Boat 59999; red');
    expect(passages.at(-1)?.place).toMatch(/60001$/);
  });
});

it('flat records of JSON are rows, everything else has its path', () => {
  expect(textOf(readJson(bytes('{"boats":[{"name":"Marlin","age":3}],"port":{"name":"Voss"}}')))).toBe(
    'name: Marlin; age: 3\nport.name: Voss',
  );
});

it('XML keeps texts, attributes and what its entities say, but expands none of its own', () => {
  expect(textOf(readXml(bytes('<a b="1 &amp; 2"><c>x<![CDATA[<y>]]></c></a>')))).toBe('a.b: 1 & 2\na.c: x\na.c: <y>');
  const bomb = `<!DOCTYPE a [<!ENTITY x "${'lol'.repeat(100)}"><!ENTITY y "&x;&x;&x;">]><a>&y;&y;</a>`;
  expect(textOf(readXml(bytes(bomb))).length).toBeLessThan(100);
});

describe('what is nested', () => {
  const nested = (begin: string, end: string, depth: number) => `${begin.repeat(depth)}word${end.repeat(depth)}`;
  const page = (depth: number) => readHtml(bytes(nested('<div>', '</div>', depth)));
  const document = (depth: number) =>
    readOffice('docx', docxOf([`</w:t></w:r></w:p>${nested('<w:sdt>', '</w:sdt>', depth)}<w:p><w:r><w:t>`]));

  it('deeper than browsers go is refused before a tree is built', async () => {
    expect(textOf(page(500))).toContain('word');
    expect(() => page(501)).toThrow('nested deeper than 500 levels');
    expect(() => readArticle(bytes('<b>'.repeat(100_000)))).toThrow('nested deeper than 500 levels');
    await expect(document(501)).rejects.toThrow('nested deeper than 500 levels');
  });

  it('is what stands open: elements that end by themselves lie beside each other', () => {
    const lists = `<ul>${'<li>one<br>'.repeat(2_000)}</ul>${'<p>word<img>'.repeat(2_000)}`;
    expect(textOf(readHtml(bytes(lists)))).toContain('word');
  });

  it.each([
    ['brackets', '['.repeat(200_000)],
    ['dashes', '- '.repeat(20_000)],
    ['lines', Array.from({ length: 150 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('in YAML is refused while its %s are read', (_name, text) => {
    expect(() => readYaml(bytes(text))).toThrow('nested deeper than 100 levels');
  });
});

it('subtitles without cues are text', () => {
  expect(textOf(readSubtitles(bytes('WEBVTT\n\nNothing was said.')))).toContain('Nothing was said.');
});

it('pages are named in ranges', () => {
  expect([[3], [1, 2, 3], [1, 3, 4, 9]].map(rangesText)).toEqual(['3', '1–3', '1, 3–4 and 9']);
});

describe('the links of a page', () => {
  const linksIn = (html: string) => readArticle(bytes(html)).links.map(({ text, href }) => [text, href]);

  it('are as written, those of its text before those of its menus, each once', () => {
    const html = `<nav><a href="/">Home</a><a href="b?x=1&amp;y=2">Menu</a></nav><a href="#top">Top</a><a>None</a>
      <p><a href=" b?x=1&amp;y=2 "> The
      hours </a></p><footer><a href="https://example.com/c">C</a></footer>`;
    expect(linksIn(html)).toEqual([
      ['Menu', 'b?x=1&y=2'],
      ['Home', '/'],
      ['C', 'https://example.com/c'],
    ]);
  });

  it('begin at its base', () => {
    expect(linksIn('<base href="https://example.com/x/"><a href="y">Y</a>')).toEqual([
      ['Y', 'https://example.com/x/y'],
    ]);
  });

  it('are kept as far as a model needs them, however many there are', () => {
    const html = Array.from({ length: 5_000 }, (_, i) => `<a href="/${i}">${'x'.repeat(90)}</a>`).join('');
    const links = linksIn(`<a href="/${'long'.repeat(100)}">Long</a>${html}`);
    expect([links.length, links[0]?.[0]?.length, links[0]?.[1]]).toEqual([40, 60, '/0']);
  });
});
