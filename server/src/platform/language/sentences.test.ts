import { expect, it } from 'vitest';
import { asks } from './sentences.ts';

it.each([
  ['Where is it?', true],
  ['where do you live', true],
  ['I wonder: why?', true],
  ['I live in Leeds', false],
  ['Is it good. I think so.', false],
  ['Island life suits me', false],
  ['', false],
])('knows whether %j asks: %s', (text, expected) => expect(asks(text)).toBe(expected));
