import { expect, test } from 'vitest';
import { hintWithUnseen, numbersOf } from './seen-text.tsx';

test('a run of invisible characters is named by number, by count, and by the letters that tags hide', () => {
  expect(numbersOf('\u200B')).toBe('U+200B');
  expect(numbersOf('\u0007\u202E\u202E\u202E\u{E0001}')).toBe('U+0007 U+202E ×3 U+E0001');
  expect(numbersOf('\u200B\u{E0048}\u{E0069}\u{E0021}\u{E007F}')).toBe('U+200B tags “Hi!” U+E007F');
});

test('a hint says how many invisible characters were typed, and nothing where there is none', () => {
  expect(hintWithUnseen('Hint.', 'Hello 👩\u200D🚀,\r\nyou')).toBe('Hint.');
  expect(hintWithUnseen('Hint.', 'a\u200B')).toBe('Hint. It has an invisible character.');
  expect(hintWithUnseen('Hint.', '\u200B'.repeat(1200))).toBe('Hint. It has 1,200 invisible characters.');
});
