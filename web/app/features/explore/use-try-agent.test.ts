import type { Agent } from '@atelier/contract/agents';
import { expect, test } from 'vitest';
import { findOwn } from './use-try-agent.ts';

const own = { id: 'notes', creatorId: 'me', forkedFrom: null } as Agent;
const copy = {
  id: 'chef-1',
  creatorId: 'me',
  forkedFrom: { creatorId: 'ada', agentId: 'chef', name: 'Chef', tools: ['calculator'] },
} as Agent;

test('one talks with one’s own agent, or the copy made before, and with nothing of the same name', () => {
  expect(findOwn([own, copy], { creatorId: 'me', id: 'notes' })).toBe(own);
  expect(findOwn([own, copy], { creatorId: 'ada', id: 'chef' })).toBe(copy);
  expect(findOwn([own, copy], { creatorId: 'ada', id: 'notes' })).toBeUndefined();
  expect(findOwn([own, copy], { creatorId: 'bob', id: 'chef' })).toBeUndefined();
});
