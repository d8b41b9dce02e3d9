import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { isGuessedFirst, passwordRefusal } from './accounts.credentials.ts';

const rules = (env: Record<string, string> = {}) => readConfig(env);

test('six characters are enough by default', () => {
  expect(passwordRefusal(rules(), '12345')?.message).toBe('The password needs at least 6 characters.');
  expect(passwordRefusal(rules(), '🧵🧵🧵')?.code).toBe('PASSWORD_TOO_SHORT');
  expect(passwordRefusal(rules(), '123456')).toBeNull();
  expect(passwordRefusal(rules({ PASSWORD_MAX: '8' }), '123456789')?.code).toBe('PASSWORD_TOO_LONG');
});

test('what the operator asks for beyond that is named in one sentence', () => {
  const all = rules({ PASSWORD_LOWERCASE: '1', PASSWORD_UPPERCASE: '1', PASSWORD_NUMERIC: '1', PASSWORD_SYMBOL: '1' });
  expect(passwordRefusal(all, 'abcdef')?.message).toBe(
    'The password needs an uppercase letter, a number, and a symbol such as ! or ?.',
  );
  expect(passwordRefusal(all, 'ABC123!')?.message).toBe('The password needs a lowercase letter.');
  expect(passwordRefusal(all, 'Äbc 123!')).toBeNull();
});

test.each([
  ['123456', {}],
  ['iloveyou', {}],
  ['Password1', {}],
  ['QWERTYUIOP', {}],
  ['ATELIER', {}],
  ['grace hopper', { name: 'Grace Hopper' }],
  ['Grace.Hopper', { email: 'grace.hopper@example.com' }],
  ['grace.hopper@example.com', { email: 'Grace.Hopper@example.com' }],
])('%s is guessed first, and refused where the operator says so', (password, owner) => {
  expect(isGuessedFirst(password, owner)).toBe(true);
  expect(passwordRefusal(rules(), password, 'password', owner)).toBeNull();
  const strict = rules({ PASSWORD_UNCOMMON: '1' });
  expect(passwordRefusal(strict, password, 'newPassword', owner)).toMatchObject({
    code: 'PASSWORD_TOO_COMMON',
    field: 'newPassword',
  });
});

test.each([
  ['correct horse', {}],
  ['password of my grandmother', {}],
  ['grace hopper 1906', { name: 'Grace Hopper', email: 'grace@example.com' }],
  ['', { name: '', email: '' }],
])('only whole passwords are compared: “%s” is none of them', (password, owner) => {
  expect(isGuessedFirst(password, owner)).toBe(false);
});

test('the list has three thousand of those that may be chosen', () => {
  const words = readFileSync(new URL('../../platform/passwords/common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(words.filter((word) => passwordRefusal(rules(), word) === null).length).toBeGreaterThanOrEqual(3_000);
  expect(new Set(words).size).toBe(words.length);
});
