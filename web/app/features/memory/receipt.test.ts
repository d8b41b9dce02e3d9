import type { MemoryItem } from '@atelier/contract/memory';
import { expect, test } from 'vitest';
import { byUse, countMemories, matchOf, originsOf, percent, speakerOf } from './receipt.ts';

const item = (kind: MemoryItem['kind'], more: Partial<MemoryItem> = {}): MemoryItem => ({
  id: 'm1',
  kind,
  text: 'My sister is allergic to peanuts',
  timestamp: '2026-01-01T00:00:00.000Z',
  score: 0.9,
  ...more,
});

test('memories are counted in words, and by where they come from', () => {
  expect([1, 2].map(countMemories)).toEqual(['1 memory', '2 memories']);
  const earlier = item('person', { sessionId: 's0' });
  const held = item('fact', { inConversation: true });
  const of = (...memoryUsed: MemoryItem[]) => originsOf({ memoryUsed, sessionId: 's1' });
  expect(of(held, earlier, item('agent', { sessionId: 's1' }), item('file'))).toBe(
    '1 from earlier · 2 from here · 1 from files',
  );
  expect(of(earlier)).toBe('1 from earlier');
  expect(of()).toBe('nothing found yet');
});

test('each memory names who said it', () => {
  expect(speakerOf(item('person'), 'Field Notes')).toBe('You');
  expect(speakerOf(item('agent'), 'Field Notes')).toBe('Field Notes');
  expect(speakerOf(item('file'), 'Field Notes')).toBe('File');
});

test('a score outside of its range is still a percentage, and a word', () => {
  expect([0.873, 1.4, -1].map(percent)).toEqual(['87%', '100%', '0%']);
  expect([1.4, 0.5, -1].map(matchOf)).toEqual(['strong', 'partly', 'loosely']);
});

test('the memory that the answer speaks of comes first, and of equal ones what the conversation holds last', () => {
  const memoryUsed = [
    item('person', { id: 'here', inConversation: true }),
    item('person', { id: 'asked', text: 'What may my sister eat?' }),
    item('person', { id: 'blank', text: '', forgotten: true }),
    item('agent', { id: 'boats', text: 'We talked of boats and trains for a very long while, in Oslo and in Bergen' }),
    item('agent', { id: 'name', text: 'Field Notes' }),
    item('person', { id: 'told' }),
  ];
  const ids = byUse({
    memoryUsed,
    message: 'Field Notes: she is allergic, no peanuts in Bergen.',
    inputText: 'What may my sister eat?',
    agentName: 'Field Notes',
  });
  expect(ids.map(({ id }) => id)).toEqual(['told', 'here', 'boats', 'asked', 'blank', 'name']);
});
