import { shownToolName, type ToolCall } from '@atelier/contract/tools';
import { expect, test } from 'vitest';
import { callInputText, durationText, resultText } from './tool-call-text.ts';

const call = (change: Partial<ToolCall>): ToolCall => ({ id: 'c1', name: 'calculator', state: 'done', ...change });

test('one value is shown as it is, several as JSON, always on one line', () => {
  expect(callInputText(call({ input: { expression: '2 +\n 2' } }))).toBe('2 + 2');
  expect(callInputText(call({ input: { a: 1, b: 2 } }))).toBe('{"a":1,"b":2}');
  expect(callInputText(call({ input: {} }))).toBe('');
  expect(callInputText(call({}))).toBe('');
  expect(callInputText(call({ input: { code: 'x'.repeat(200) } }))).toHaveLength(80);
});

test('the result is the part that a person looks for', () => {
  expect(resultText(call({ output: { expression: '2+2', value: 4 } }))).toBe('4');
  expect(resultText(call({ output: { value: null, console: 'hi' } }))).toBe('hi');
  expect(resultText(call({ output: { time: '14:05:09', timeZone: 'Europe/Oslo' } }))).toBe('14:05 Europe/Oslo');
  expect(resultText(call({ output: { passages: [1] } }))).toBe('1 passage');
  expect(resultText(call({ output: { title: 'Tides', text: 'x' } }))).toBe('Tides');
  expect(resultText(call({ state: 'failed', output: 'The tool failed.' }))).toBe('The tool failed.');
  expect(resultText(call({ state: 'running' }))).toBe('running');
  const asked = { state: 'failed', question: { why: 'It writes.', to: '' } } as const;
  expect(resultText(call({ ...asked, output: 'The person did not allow this call.' }))).toBe('not allowed');
  expect(resultText(call({ ...asked, output: 'The tool failed.', ms: 5 }))).toBe('The tool failed.');
});

test('durations', () => {
  expect([340, 2149].map((ms) => durationText(call({ ms })))).toEqual(['340 ms', '2.1 s']);
  expect(durationText(call({}))).toBe('');
});

test('the key of one’s own server is no name', () => {
  expect(['s5d35c39d__weigh', 'disk__write_file', 'web_fetch', 's5d35c39d__'].map(shownToolName)).toEqual([
    'weigh',
    'disk__write_file',
    'Fetch a web page',
    's5d35c39d__',
  ]);
});
