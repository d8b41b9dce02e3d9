import { expect, test } from 'vitest';
import { readForm } from './question-form.ts';

test('a server’s question has labels that can be seen', () => {
  const properties = {
    pin: { type: 'string', title: 'Pi\u202En\u{E0061}' },
    name: { type: 'string', title: '\u3164' },
  };
  expect(readForm({ properties })?.map(({ label }) => label)).toEqual(['Pin', 'name']);
});
