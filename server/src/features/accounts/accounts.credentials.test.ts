import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { passwordRefusal } from './accounts.credentials.ts';

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
