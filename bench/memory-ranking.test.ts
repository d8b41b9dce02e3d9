import { describe, expect, it } from 'vitest';
import { readFamilies } from './conversations.ts';
import { type Embed, madeEmbed, measureRanking, readRecorded } from './memory-ranking.ts';
import { CUTS, mean } from './memory-recall.ts';

const fileOf = (name: string) => new URL(`conversations/${name}.json`, import.meta.url).pathname;
const sets = readFamilies([fileOf('own'), fileOf('everyday')]).flatMap((family) => family.sets);
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
