import { describe, expect, it } from 'vitest';
import COUNTED from '../../testing/counted-texts.json' with { type: 'json' };
import { charactersIn, countTokens } from './tokens.ts';

describe('tokens by script', () => {
  it.each(COUNTED.texts)('$kind: at most 15 % too few, at most 40 % too many', ({ tokens, text }) => {
    expect(countTokens(text) / tokens).toBeGreaterThan(0.85);
    expect(countTokens(text) / tokens).toBeLessThan(1.4);
  });

  it('counts plain letters as four a token, and nothing as nothing', () => {
    expect([countTokens(''), countTokens('abc'), countTokens('abcde'), countTokens('p'.repeat(4_000))]).toEqual([
      0, 1, 2, 1_000,
    ]);
  });

  it('says how much of a text so many tokens are', () => {
    expect(charactersIn('很'.repeat(1_000), 85)).toBe(100);
    expect(charactersIn('short', 100)).toBe(5);
    expect(charactersIn('short', Number.POSITIVE_INFINITY)).toBe(5);
    expect(charactersIn('p'.repeat(400), -1)).toBe(0);
  });

  it.each(['\0', '\uD800', '\uFFFF', 'a1', '́', '👨‍👩‍👧'])('counts ten million bytes of %j', (unit) => {
    const count = countTokens(unit.repeat(Math.ceil(10_000_000 / unit.length)));
    expect(count).toBeGreaterThan(1_000_000);
    expect(Number.isSafeInteger(count)).toBe(true);
  });
});
