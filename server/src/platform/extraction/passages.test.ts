import { describe, expect, it } from 'vitest';
import { effort } from '../../testing/effort.ts';
import { cutIntoPassages, PASSAGE_MAX, PASSAGES_MAX, type Section, TEXT_MAX } from './passages.ts';
import { readRows } from './read-rows.ts';
import { readMarkdown, readPlain } from './read-text.ts';
import { readJson } from './read-values.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const markdown = (text: string) => cutIntoPassages(readMarkdown(bytes(text)).sections);
const characters = (passages: Section[]) => passages.reduce((sum, { text }) => sum + text.length, 0);

describe('sections become passages', () => {
  it('one each, while there are not too many', () => {
    const { passages, only } = markdown('Hello.\n# Boats\nMarlin is blue.\n## Rules ##\nNo smoking.\n');
    expect(passages).toEqual([
      { place: 'beginning', text: 'Hello.' },
      { place: '“Boats”', text: '# Boats\nMarlin is blue.' },
      { place: '“Rules”', text: '## Rules ##\nNo smoking.' },
    ]);
    expect(only).toBeNull();
  });

  it('a heading without text joins what follows, and the place is that of the text', () => {
    const { passages } = markdown('# Handbook\n\n## Part one\n\n### Boats\nMarlin is blue.\n# Index\n');
    expect(passages).toEqual([
      { place: '“Boats”', text: '# Handbook\n## Part one\n### Boats\nMarlin is blue.' },
      { place: '“Index”', text: '# Index' },
    ]);
  });

  it('headings alone share passages, and the place names the first and the last', () => {
    const { passages } = markdown(Array.from({ length: 200 }, (_, i) => `# Heading ${i}`).join('\n'));
    expect(passages.length).toBeLessThan(5);
    expect(passages[0]?.place).toMatch(/^“Heading 0” to “Heading \d+”$/);
    expect(passages.map(({ text }) => text).join('\n')).toContain('# Heading 199');
  });

  it('a long text without blanks is cut where a sentence ends', () => {
    const { passages } = cutIntoPassages(readPlain(bytes('屋根の修理は四百八十ランドです。'.repeat(100))).sections);
    expect(passages.length).toBeGreaterThan(1);
    expect(passages.filter(({ text }) => !text.endsWith('。'))).toEqual([]);
  });

  it('a place has nothing that can’t be stored', () => {
    const { passages } = cutIntoPassages(readJson(bytes(String.raw`{"a\u0000b\ud800": 1}`)).sections);
    expect(passages).toEqual([{ place: '$.ab\ufffd', text: 'ab\ufffd: 1' }]);
  });

  it('neighbours share one where there would be too many, and nothing is lost', () => {
    const { passages, only } = markdown(
      Array.from({ length: 20_000 }, (_, i) => `# H ${i}\nFact number ${i}.`).join('\n'),
    );
    expect(passages.length).toBeLessThan(1_000);
    expect(passages.at(-1)?.text).toContain('Fact number 19999.');
    expect(only).toBeNull();
  });
});

describe('hostile documents', () => {
  const million = effort(128 * 1024, 1024 * 1024);
  it.each([
    ['1.2 MB of tiny headings', readMarkdown, '# a\n'.repeat(300_000)],
    ['a great many tiny headings', readMarkdown, '# a\n'.repeat(2.5 * million)],
    ['headings with a word each', readMarkdown, '# a\nb\n'.repeat(million)],
    ['a line for each letter', readPlain, 'a\n'.repeat(5 * million)],
    ['one line', readPlain, 'a'.repeat(10 * million)],
    ['nothing but lines', readPlain, `${'\n'.repeat(5 * million)}x`],
    ['nothing but blanks', readPlain, `${' '.repeat(10 * million)}x`],
    ['rows of one letter', readRows, 'a\n'.repeat(million)],
    ['numbers', readJson, `[${'1,'.repeat(million)}1]`],
  ])('%s stay within the bounds', (_name, read, text) => {
    const document = read(bytes(text));
    const { passages, only } = cutIntoPassages(document.sections);
    expect(passages.length).toBeLessThanOrEqual(PASSAGES_MAX);
    expect(characters(passages)).toBeLessThanOrEqual(TEXT_MAX);
    expect(Math.max(...passages.map((passage) => passage.text.length))).toBeLessThanOrEqual(PASSAGE_MAX);
    const kept = characters(passages) >= text.replaceAll(/\s{1,1000}/g, '').length / 2;
    // Whatever is left out is said.
    expect(kept || (only ?? document.only) !== undefined).toBe(true);
    if (!kept) expect(only ?? document.only).toMatch(/^[\d,]+ (?:million characters|passages|rows)$/);
  });

  it('a text beyond the bound ends there, which is said', () => {
    const long = Array.from({ length: 40_000 }, (_, i) => `# ${i}\n${'word '.repeat(120)}`).join('\n');
    const { passages, only } = markdown(long);
    expect(characters(passages)).toBeGreaterThan(TEXT_MAX - PASSAGE_MAX);
    expect(only).toBe('16 million characters');
  });

  it('a long column name is not repeated whole with each of its values', () => {
    const { passages } = cutIntoPassages(readRows(bytes(`${'n'.repeat(million)},m\n${'1,2\n'.repeat(1000)}`)).sections);
    expect(characters(passages)).toBeLessThan(1000 * 120);
  });
});
