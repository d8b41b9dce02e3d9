import { expect, test } from 'vitest';
import { matchPrompts, slashQuery, withPrompt } from './prompt-choice.ts';

const at = '2026-01-01T00:00:00.000Z';
const prompt = (name: string, text = 'x') => ({ id: name, name, text, createdAt: at, updatedAt: at });

test('only a short line that begins with a slash searches', () => {
  expect(slashQuery('/')).toBe('');
  expect(slashQuery('/let')).toBe('let');
  expect(slashQuery('a /let')).toBeNull();
  expect(slashQuery('/let\nme')).toBeNull();
  expect(slashQuery(`/${'x'.repeat(80)}`)).toBeNull();
});

test('names that begin with the query come first, then names and texts that contain it', () => {
  const prompts = [prompt('A letter'), prompt('Mail', 'a LETTER to {{name}}'), prompt('Letter'), prompt('Other')];
  expect(matchPrompts(prompts, 'let').map(({ name }) => name)).toEqual(['Letter', 'A letter', 'Mail']);
  expect(matchPrompts(prompts, '')).toHaveLength(4);
  expect(matchPrompts(prompts, 'zzz')).toEqual([]);
});

test('a prompt never takes the place of what was written', () => {
  expect(withPrompt('', 'Hi')).toBe('Hi');
  expect(withPrompt('/let', 'Hi')).toBe('Hi');
  expect(withPrompt('My notes\n', 'Hi')).toBe('My notes\n\nHi');
});
