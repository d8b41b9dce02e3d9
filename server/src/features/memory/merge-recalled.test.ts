import { describe, expect, it } from 'vitest';
import { mergeRecalled, type RankedMemory } from './merge-recalled.ts';

/** Memories in the order in which they were said, a day each; what is found stands in `order`, best first. */
function memories(...texts: (string | { agent: string })[]): RankedMemory[] {
  return texts.map((text, day) => ({
    id: `m${day}`,
    kind: typeof text === 'string' ? ('person' as const) : ('agent' as const),
    speaker: null,
    text: typeof text === 'string' ? text : text.agent,
    timestamp: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    score: 0.5,
  }));
}
const shown = (merged: ReturnType<typeof mergeRecalled>) =>
  merged.map(({ id, supersededBy }) => (supersededBy === undefined ? id : `${id} < ${supersededBy}`));

describe('a statement that a later one replaces', () => {
  it('stands right behind it and bears its id', () => {
    const found = memories('I live in Porto', 'I like trams', 'I moved to Lisbon');
    expect(shown(mergeRecalled(found, [], 5))).toEqual(['m2', 'm0 < m2', 'm1']);
  });
  it('brings along the later one that was not found', () => {
    const [porto, lisbon] = memories('I live in Porto', 'I moved to Lisbon');
    if (porto === undefined || lisbon === undefined) throw new Error('two memories');
    expect(shown(mergeRecalled([porto], [lisbon], 5))).toEqual(['m1', 'm0 < m1']);
    expect(shown(mergeRecalled([porto], [lisbon], 1))).toEqual(['m1']);
  });
  it('bears the id of the latest of several', () => {
    const found = memories('I live in Porto', 'I moved to Lisbon', 'I moved to Vienna');
    expect(shown(mergeRecalled(found, [], 5))).toEqual(['m2', 'm0 < m2', 'm1 < m2']);
  });
  it('is not replaced by an earlier one, by the agent, or by somebody else', () => {
    const [lisbon, porto] = memories('I moved to Lisbon', 'I live in Porto');
    const agent = memories('I live in Porto', { agent: 'I moved to Lisbon' });
    if (lisbon === undefined || porto === undefined) throw new Error('two memories');
    expect(shown(mergeRecalled([{ ...porto, text: 'I lived in a flat' }, lisbon], [], 5))).toEqual(['m1', 'm0']);
    expect(shown(mergeRecalled(agent, [], 5))).toEqual(['m0', 'm1']);
    const spoken = memories('I live in Porto', 'I moved to Lisbon').map((m, i) => ({ ...m, speaker: `speaker ${i}` }));
    expect(shown(mergeRecalled(spoken, [], 5))).toEqual(['m0', 'm1']);
  });
});

describe('texts that say the same', () => {
  it('are given once', () => {
    const found = memories('The flat is in Lisbon', 'the flat is in Lisbon!!', 'The Lisbon flat has a balcony');
    expect(shown(mergeRecalled(found, [], 5))).toEqual(['m0', 'm2']);
  });
  it('are not the same where a number or a “not” differs', () => {
    const found = memories('The code is 41', 'The code is 42', 'I eat fish', 'I do not eat fish');
    expect(mergeRecalled(found, [], 5)).toHaveLength(4);
  });
  it('stand behind what the person told, where the agent repeats it', () => {
    const found = memories({ agent: 'Avoid peanuts: your sister is allergic to peanuts.' }, 'I like nuts');
    const told = memories('a', 'b', 'My sister is allergic to peanuts').slice(2);
    expect(shown(mergeRecalled([...found, ...told], [], 5))).toEqual(['m2', 'm0', 'm1']);
  });
});

it('gives no more than was asked for, and nothing of nothing', () => {
  const found = memories(...Array.from({ length: 9 }, (_, i) => `The boat number ${i} is red`));
  expect(mergeRecalled(found, [], 4)).toHaveLength(4);
  expect(mergeRecalled([], [], 4)).toEqual([]);
});
