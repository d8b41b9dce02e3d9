import { describe, expect, it } from 'vitest';
import { readFamilies } from './conversations.ts';
import { CUTS, type Embed, madeEmbed, mean, measureRanking, readRecorded, score } from './memory-ranking.ts';

const fileOf = (name: string) => new URL(`conversations/${name}.json`, import.meta.url).pathname;
const sets = readFamilies([fileOf('own'), fileOf('everyday')]).flatMap((family) => family.sets);
const [own] = sets;
const recorded = readRecorded(fileOf('embeddings'));

const EMBEDDERS: [string, Embed][] = [
  ['the embedder of tests', madeEmbed],
  ['a recorded model', recorded],
];

describe.each(EMBEDDERS)('with %s', (_, embed) => {
  it.each(sets)('recall finds no less in $name than by words alone', (set) => {
    const [words, meaning] = [measureRanking(set), measureRanking(set, { embed })];
    for (const k of CUTS) expect(mean(meaning, k)).toBeGreaterThanOrEqual(mean(words, k));
  });
});

it('a recorded model finds what shares no word with the question', () => {
  const found = (embed?: Embed) =>
    mean(
      sets.flatMap((set) => measureRanking(set, { embed })),
      20,
    );
  expect(found(recorded)).toBeGreaterThan(found());
});

it('has enough of our own to tell a change of the ranking from luck, asks only for evidence that is there, and finds as much as it did', () => {
  const all = (own?.conversations ?? []).map(({ sessions, questions }) => ({
    turns: new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id))),
    evidence: questions.map((question) => question.evidence.flat()),
  }));
  expect(all.reduce((sum, { turns }) => sum + turns.size, 0)).toBeGreaterThanOrEqual(300);
  expect(all.flatMap(({ evidence }) => evidence).length).toBeGreaterThanOrEqual(60);
  expect(all.flatMap(({ turns, evidence }) => evidence.flat().filter((id) => !turns.has(id)))).toEqual([]);
  const measured = own === undefined ? [] : measureRanking(own);
  expect(measured).toHaveLength(all.flatMap(({ evidence }) => evidence).length);
  // Measured: 63.8 and 74.7.
  expect(mean(measured, 5)).toBeGreaterThanOrEqual(62);
  expect(mean(measured, 10)).toBeGreaterThanOrEqual(73);
});

it('counts the turns that answer, and the sessions that they are from', () => {
  const parts = ['a1 a', 'a2 a', 'b1 b', 'b1 b', 'c1 c'].map((names) => {
    const [id = '', session = ''] = names.split(' ');
    return { id, session, kind: 'person' as const, text: names };
  });
  const question = { text: '', evidence: [['a1'], ['a2'], ['b1', 'c1'], ['gone']] };
  expect(score(question, parts, [1, 3])).toMatchObject({ passage: { 5: 2 / 4 }, session: { 5: 2 / 3 } });
  expect(score(question, parts, [2, 2, 3, 3, 2, 0]).session).toMatchObject({ 5: 1 / 3, 10: 2 / 3 });
});
