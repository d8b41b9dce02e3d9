import { expect, it } from 'vitest';
import { plainSchema } from './tool-schema.ts';

const text = { type: 'string' };
const list = { type: 'array', items: text, default: ['array'] };
const b = { properties: { kind: { const: 'b' } }, required: ['kind'], anyOf: [{ $ref: '#/$defs/b' }] };

it.each([
  ['no properties', {}, { properties: {} }],
  ['what is plain', { properties: { list }, required: ['list'] }, { properties: { list }, required: ['list'] }],
  [
    'arrays of nothing in particular',
    { properties: { enum: { type: ['array', 'null'] }, in: { properties: { default: { type: 'array' } } } } },
    {
      properties: {
        enum: { type: ['array', 'null'], items: {} },
        in: { properties: { default: { type: 'array', items: {} } } },
      },
    },
  ],
  [
    'alternatives at the top',
    {
      properties: { id: text },
      required: ['id'],
      oneOf: [{ properties: { kind: { const: 'a' }, one: text }, required: ['kind', 'one'] }, { $ref: '#/$defs/b' }],
      allOf: [{ properties: { more: text }, required: ['more'] }, { $ref: '#' }],
      not: { required: ['other'] },
      $defs: { b },
    },
    {
      properties: { id: text, more: text, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, one: text },
      required: ['id', 'more', 'kind'],
      $defs: { b },
    },
  ],
])('an input with %s is one object of properties, and its arrays say of what', (_what, given, plain) => {
  expect(plainSchema({ type: 'object', ...given })).toEqual({ type: 'object', ...plain });
});
