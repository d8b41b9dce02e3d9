import { expect, test } from 'vitest';
import { readForm } from './question-form.ts';

test('a server’s question has labels that can be seen', () => {
  const properties = {
    pin: { type: 'string', title: 'Pi\u202En\u{E0061}' },
    name: { type: 'string', title: '\u3164' },
  };
  expect(readForm({ properties })?.map(({ label }) => label)).toEqual(['Pin', 'name']);
});

test('a server’s question that is no form is none, and odd words in one mean nothing', () => {
  const none = [{}, { properties: null }, { properties: [] }, { properties: { a: null } }];
  for (const schema of [...none, { properties: { a: { type: 'object' } } }]) expect(readForm(schema)).toBeNull();
  const odd = { type: 'string', title: 7, format: 'phone', minLength: '3', pattern: 5, enum: [1], default: {} };
  expect(readForm({ properties: { a: odd }, required: 'a' })).toEqual([
    { name: 'a', label: 'a', type: 'text', required: false },
  ]);
});
