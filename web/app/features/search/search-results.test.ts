import type { SearchAnswer } from '@atelier/contract/search';
import { expect, test } from 'vitest';
import { groupResults } from './search-results.ts';

const nothing: SearchAnswer = {
  sessions: [],
  tasks: [],
  memories: [],
  files: [],
  agents: [],
  publicAgents: [],
  meaning: 'none',
};
const why = { by: 'words' as const, words: ['tea'], found: ['tea'] };

test('empty groups are left out', () => {
  expect(groupResults(nothing)).toEqual([]);
});

test('a message leads to the very exchange, a public agent to its address', () => {
  const task = {
    id: 't1',
    sessionId: 's1',
    sessionName: 'Norway',
    agentName: 'Field Notes',
    timestamp: '2026-01-01T00:00:00.000Z',
    passage: [],
    why,
  };
  const guide = { id: 'tea/time', name: 'Tea', creatorId: 'u1', creatorName: 'Ada', imitates: null, passage: [], why };
  const groups = groupResults({ ...nothing, tasks: [task], publicAgents: [guide] });
  expect(groups.map((g) => [g.heading, g.results[0]?.to])).toEqual([
    ['Messages', '/runtime?sessionId=s1&taskId=t1'],
    ['Public agents', '/explore/u1/tea%2Ftime'],
  ]);
});
