import { MESSAGE_MAX } from '@atelier/contract/runs';
import { expect, test } from 'vitest';
import { isSendable, lengthNotice, sendsOn } from './composer-rules.ts';

const enter = { key: 'Enter', shiftKey: false };

test('Enter sends; Shift+Enter does not', () => {
  expect(sendsOn(enter)).toBe(true);
  expect(sendsOn({ ...enter, shiftKey: true })).toBe(false);
  expect(sendsOn({ ...enter, key: 'a' })).toBe(false);
});

test('blank and over-long texts stay', () => {
  expect(isSendable(' \n\t')).toBe(false);
  expect(isSendable('x'.repeat(MESSAGE_MAX))).toBe(true);
  expect(isSendable('x'.repeat(MESSAGE_MAX + 1))).toBe(false);
});

test('the length is shown when the limit is near, and named when it is passed', () => {
  expect(lengthNotice('hello')).toBeNull();
  expect(lengthNotice('x'.repeat(31_000))).toEqual({ text: '31,000 / 32,000 characters', over: false });
  expect(lengthNotice('x'.repeat(32_001))?.over).toBe(true);
});
