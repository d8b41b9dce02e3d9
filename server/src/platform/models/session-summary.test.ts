import { expect, test } from 'vitest';
import { extractSummary } from './session-summary.ts';

const said = (...texts: string[]) => texts.map((inputText) => ({ inputText, message: 'Noted.' }));

test('the person’s own statements are kept in their order, questions and requests are not', () => {
  const summary = extractSummary({
    previous: '',
    exchanges: said(
      'My sister is allergic to peanuts. What should I cook?',
      'Write me a poem about trains',
      'We leave for Bergen on 14 June.',
    ),
  });
  expect(summary.split('\n')).toEqual(['My sister is allergic to peanuts.', 'We leave for Bergen on 14 June.']);
});

test('it grows from the summary before it, says nothing twice, and stays within its length', () => {
  const many = said(...Array.from({ length: 200 }, (_, i) => `We met person number ${i} in the town of Bergen today.`));
  const summary = extractSummary({ previous: 'My sister Ada is allergic to peanuts.', exchanges: [...many, ...many] });
  const lines = summary.split('\n');
  expect(summary.length).toBeLessThanOrEqual(2_400);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines[0]).toBe('My sister Ada is allergic to peanuts.');
});

test('a session in which nothing was told has an empty one', () => {
  expect(extractSummary({ previous: '', exchanges: said('Hello?', 'How are you?') })).toBe('');
});
