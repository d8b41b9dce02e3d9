import { describe, expect, it } from 'vitest';
import { fitHistory, shareBudget, tokensOf } from './budget.ts';

describe('the budget of a message', () => {
  it('gives prompt and message whole and shares the rest', () => {
    const { room, memory } = shareBudget(16_000, 'p'.repeat(4_000), 'm'.repeat(400));
    expect(room).toBe(16_000 - 4_000 - 300 - 1_000 - 100);
    expect(memory / room).toBeCloseTo(0.35, 2);
    expect(shareBudget(1_000_000, '', '').memory).toBe(4_000);
  });
  it('leaves nothing for memory and history where the prompt takes it all, and never less than nothing', () => {
    expect(shareBudget(4_000, 'p'.repeat(20_000), 'm')).toEqual({ memory: 0, room: 0 });
  });
});

describe('what fits', () => {
  it('is the newest of the conversation, in the order it was said', () => {
    const said = ['c', 'b', 'a'].map((name) => ({ inputText: name.repeat(40), message: '' }));
    expect(fitHistory(said, 20)).toMatchObject({ cut: true, used: 20 });
    expect(fitHistory(said, 20).kept.map((e) => e.inputText[0])).toEqual(['b', 'c']);
    expect(fitHistory(said, 1_000)).toMatchObject({ cut: false, used: 30 });
  });
  it('stops at the first that does not fit, so that nothing is missing in between', () => {
    const said = [
      { inputText: 'new', message: '' },
      { inputText: 'x'.repeat(900), message: '' },
      { inputText: 'old', message: '' },
    ];
    expect(fitHistory(said, 100).kept.map((e) => e.inputText)).toEqual(['new']);
  });
});

it('counts a token for four characters', () => {
  expect([tokensOf(''), tokensOf('abc'), tokensOf('abcde')]).toEqual([0, 1, 2]);
});
