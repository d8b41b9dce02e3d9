import { describe, expect, it } from 'vitest';
import { markOf } from './agent-mark-pattern.ts';

const look = (id: string) => JSON.stringify(markOf(id));

describe('the mark of an agent', () => {
  it('is the same for the same id', () => expect(look('field-notes')).toBe(look('field-notes')));

  it('tells agents apart', () => {
    const looks = new Set(Array.from({ length: 500 }, (_, i) => look(`agent-${i}`)));
    expect(looks.size).toBeGreaterThan(495);
  });

  it.each(['', '🪚', 'نجار', '../x'])('exists for %j', (id) => expect(markOf(id).tiles).toHaveLength(4));
});
