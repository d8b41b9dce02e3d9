import { describe, expect, it } from 'vitest';
import { readable, VALUE_MAX } from './tool-values.ts';

const size = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).length;

describe('an answer of a tool', () => {
  it('is left as it is where it fits', () => {
    const value = { passages: ['a', 'b'] };
    expect(readable(value)).toBe(value);
    expect(readable('x'.repeat(VALUE_MAX))).toHaveLength(VALUE_MAX);
  });

  it('keeps its shape where a list or a text in it is cut, and says so', () => {
    const passages = Array.from({ length: 8 }, (_, i) => ({ file: 'a.txt', text: `${i}${'x'.repeat(500)}` }));
    const cut = readable({ passages }, 2_000);
    expect(cut).toMatchObject({ passages: passages.slice(0, 3), cut: '3 of 8 are shown' });
    const page = readable({ url: 'https://a.example', title: 'A', text: '"line"\n'.repeat(1_000) }, 1_000);
    expect(page).toMatchObject({
      url: 'https://a.example',
      title: 'A',
      text: expect.stringMatching(/^"line"\n[^]*…\n\[cut: 7,000 characters in all\]$/),
    });
  });

  it.each([
    ['a long text', 'x'.repeat(50_000)],
    ['a list', Array.from({ length: 9_000 }, (_, i) => i)],
    ['many small fields', Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`key${i}`, i]))],
    ['two long fields', { a: 'x'.repeat(30_000), b: 'y'.repeat(29_000) }],
    ['nothing but escapes', { text: '\n"\u0001'.repeat(20_000) }],
    ['a field that is long and deep', { a: { b: { c: 'x'.repeat(40_000) } } }],
  ])('that is %s never takes more than it may', (_what, value) => {
    for (const max of [VALUE_MAX, 5_000, 300, 199, 0]) {
      const cut = readable(value, max);
      expect(size(cut)).toBeLessThanOrEqual(Math.max(max, 60));
      expect(JSON.stringify(cut)).toContain(`cut`);
    }
  });
});
