import { describe, expect, it } from 'vitest';
import { markOf } from './agent-mark.tsx';

const look = (id: string) => JSON.stringify(markOf(id));

describe('the mark of an agent', () => {
  it('is the same for the same id', () => expect(look('field-notes')).toBe(look('field-notes')));

  it('is kept by a copy, and by a copy of that', () => {
    expect(look('field-notes-1764126451000')).toBe(look('field-notes'));
    expect(look('field-notes-2026')).not.toBe(look('field-notes'));
  });

  it('tells agents apart', () => {
    const looks = new Set(Array.from({ length: 500 }, (_, i) => look(`agent-${i}`)));
    expect(looks.size).toBeGreaterThan(495);
  });

  it.each(['', '🪚', 'نجار', '../x'])('exists for %j', (id) => expect(markOf(id).tiles).toHaveLength(4));
});
