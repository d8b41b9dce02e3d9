import { describe, expect, it } from 'vitest';
import { readConversations, readFamilies } from './conversations.ts';
import { type Embed, madeEmbed, measureRanking, readRecorded } from './memory-ranking.ts';
import { CUTS, mean, measurePlain, score, UNITS } from './memory-recall.ts';

const fileOf = (name: string) => new URL(`conversations/${name}.json`, import.meta.url).pathname;
const NAMES = ['own', 'everyday'];
const sets = NAMES.map((name) => ({
  name,
  along: false,
  conversations: readConversations(fileOf(name)),
}));
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

it.each(readFamilies(NAMES.map(fileOf)).flat())('recall finds no less in $name than plain BM25', (set) => {
  const measured = measureRanking(set);
  const plain = set.conversations.map(measurePlain);
  for (const setting of [0, 1]) {
    const floor = plain.flatMap((bySetting) => bySetting[setting] ?? []);
    expect(floor).toHaveLength(measured.length);
    for (const unit of UNITS)
      for (const k of CUTS) expect(mean(measured, k, unit)).toBeGreaterThanOrEqual(mean(floor, k, unit));
  }
});

it('a recorded model finds what shares no word with the question', () => {
  const found = (embed?: Embed) =>
    mean(
      sets.flatMap((set) => measureRanking(set, { embed })),
      20,
    );
  expect(found(recorded)).toBeGreaterThan(found());
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
