import { describe, expect, it } from 'vitest';
import { splitText } from './cut-text.ts';

const MAX = 1_000;

describe('splitting', () => {
  it('leaves a short text whole and drops a blank one', () => {
    expect(splitText('  A boat. ', MAX)).toEqual(['A boat.']);
    expect(splitText(' \n ', MAX)).toEqual([]);
  });
  it('cuts at a paragraph, else after a sentence, else at a space', () => {
    expect(splitText(`${'a '.repeat(30)}\n\n${'b. '.repeat(30)}`, 100)[0]).toBe('a '.repeat(30).trim());
    expect(splitText(`${'a'.repeat(60)}. ${'b '.repeat(60)}`, 100)[0]).toBe(`${'a'.repeat(60)}.`);
    expect(splitText(`${'a'.repeat(60)} ${'b'.repeat(60)}`, 100)).toEqual(['a'.repeat(60), 'b'.repeat(60)]);
  });
  it.each(['x', 'word ', 'A sentence here. ', 'para\n\n', '🦊', '日本語'])(
    'loses nothing of %j and keeps to the bound',
    (unit) => {
      const text = unit.repeat(1_500);
      const pieces = splitText(text, MAX);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= MAX)).toBe(true);
      expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    },
  );
  it('never cuts a character in half', () => {
    for (const piece of splitText(`x${'🦊'.repeat(1_500)}`, MAX)) expect(piece.isWellFormed()).toBe(true);
  });
});
