import { describe, expect, it } from 'vitest';
import { fairLength, fitHistory, fitTools, shareBudget, ToolRoom } from './budget.ts';

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
    expect(fitHistory(said, 20).exchanges.map((e) => e.inputText[0])).toEqual(['b', 'c']);
    expect(fitHistory(said, 1_000)).toMatchObject({ cut: false, used: 30 });
  });
  it('stops at the first that does not fit, so that nothing is missing in between', () => {
    const said = [
      { inputText: 'new', message: '' },
      { inputText: 'x'.repeat(900), message: '' },
      { inputText: 'old', message: '' },
    ];
    expect(fitHistory(said, 100).exchanges.map((e) => e.inputText)).toEqual(['new']);
  });
  it('is as many tools as a provider takes beside the two that search the rest', () => {
    const tools = Array.from({ length: 130 }, (_, at) => ({ id: `t${at}`, description: '', inputSchema: {} }));
    expect(fitTools(tools, 1_000_000).fitting).toEqual(tools.slice(0, 126));
  });
});

describe('the room for tool answers', () => {
  const long = (letter: string) => letter.repeat(30_000);

  it('gives the first answer all of it, and seven equal answers the same', () => {
    const room = new ToolRoom(7_000);
    expect(new ToolRoom(3_000).record(long('a'))).toHaveLength(11_933);
    const answers: unknown[] = [];
    for (const letter of 'abcdefg') {
      room.charge('');
      answers.push(room.record(long(letter)));
    }
    const fitted = room.fit(answers).map(String);
    const lengths = fitted.map((answer) => answer.length);
    expect(Math.min(...lengths)).toBeGreaterThan(3_000);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(100);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(28_000);
    for (const answer of fitted) expect(answer).toContain('[cut:');
  });

  it('leaves short answers whole, and what they don’t need to the others', () => {
    const room = new ToolRoom(1_000);
    const answers = ['short', long('x'), { list: ['a', 'b'] }];
    for (const answer of answers) room.record(answer);
    const fitted = room.fit(answers);
    expect([fitted[0], fitted[2]]).toEqual(['short', { list: ['a', 'b'] }]);
    expect(String(fitted[1]).length).toBeGreaterThan(3_500);
  });

  it('says so where nothing fits any more', () => {
    const room = new ToolRoom(10);
    expect(room.fit([long('x')])).toEqual([expect.stringContaining('no room is left')]);
    expect(fairLength([], 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
