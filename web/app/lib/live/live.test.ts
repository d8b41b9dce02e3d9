import { describe, expect, it } from 'vitest';
import { readEvent } from './live.ts';

describe('reading an event', () => {
  it('takes what the contract knows', () => {
    expect(readEvent('changed', '{"topic":"tasks","id":"s1"}')).toEqual({ topic: 'tasks', id: 's1' });
  });
  it.each(['', '{', 'null', '{"topic":"news","id":"1"}'])('ignores %j', (data) => {
    expect(readEvent('changed', data)).toBeNull();
  });
});
