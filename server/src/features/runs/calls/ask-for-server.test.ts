import { problemOf } from '@atelier/contract/mcp/server-fields';
import { expect, test } from 'vitest';
import { readForm } from './ask-for-server.service.ts';

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

test('a number keeps to what the server’s question says of it', () => {
  const depth = { type: 'number', title: 'Depth', exclusiveMinimum: 0, exclusiveMaximum: 2, multipleOf: 0.1 };
  const [field] = readForm({ properties: { depth } }) ?? [];
  if (field === undefined) throw new Error('no field was read');
  expect([0, 0.3, 1.9, 2, 0.25].map((value) => problemOf(field, value))).toEqual([
    '“Depth” must be more than 0.',
    null,
    null,
    '“Depth” must be less than 2.',
    '“Depth” must be a multiple of 0.1.',
  ]);
  const odd = { ...depth, exclusiveMinimum: true, exclusiveMaximum: '2', multipleOf: 0 };
  expect(readForm({ properties: { odd } })).toEqual([{ name: 'odd', label: 'Depth', type: 'number', required: false }]);
});
