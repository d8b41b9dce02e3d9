import type { Task } from '@atelier/contract/runs';

/** A task for tests. */
export const task = (over: Partial<Task> = {}): Task => ({
  id: 't1',
  sessionId: 's1',
  parentId: 'before',
  siblings: [],
  timestamp: '2026-01-01T00:00:00.000Z',
  agentName: 'Field Notes',
  inputText: 'Hello',
  message: '',
  seq: 0,
  status: 'running',
  model: 'gpt-4',
  memoryUsed: [],
  toolCalls: [],
  usage: null,
  ...over,
});
