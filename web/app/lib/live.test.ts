import { describe, expect, it } from 'vitest';
import { readEvent, staleKeys } from './live.ts';

describe('what a notice makes stale', () => {
  it.each([
    ['account', 'u1', [['me'], ['billing']]],
    ['agents', 'field-notes', [['agents']]],
    ['sessions', 's1', [['sessions']]],
    ['tasks', 's1', [['tasks', 's1'], ['memories']]],
    ['auth', '', [['sign-in']]],
    ['tools', 's1', [['tools'], ['mcp-servers']]],
    [
      'explore',
      'u1/tea/time',
      [
        ['explore', 'agent', 'u1', 'tea/time'],
        ['agents', 'upstream'],
      ],
    ],
  ] as const)('%s', (topic, id, keys) => {
    expect(staleKeys(topic, id)).toEqual(keys);
  });
});

describe('reading an event', () => {
  it('takes what the contract knows', () => {
    expect(readEvent('changed', '{"topic":"tasks","id":"s1"}')).toEqual({ topic: 'tasks', id: 's1' });
  });
  it.each(['', '{', 'null', '{"topic":"news","id":"1"}'])('ignores %j', (data) => {
    expect(readEvent('changed', data)).toBeNull();
  });
});
