import { describe, expect, it } from 'vitest';
import { quantise } from '../../../platform/models/embedder.ts';
import { fuseMeanings, Meanings } from './meaning.ts';

const at = (degrees: number) => {
  const radians = (degrees / 180) * Math.PI;
  return quantise([Math.cos(radians), Math.sin(radians)]);
};
const ids = (meanings: Meanings, degrees: number, limit = 10) => meanings.nearest(at(degrees), limit).map((n) => n.id);

describe('meanings', () => {
  it('gives the nearest first, and only what is near', () => {
    const meanings = new Meanings();
    for (const degrees of [0, 30, 60, 90, 180]) meanings.set(`m${degrees}`, at(degrees));
    expect(ids(meanings, 40)).toEqual(['m30', 'm60', 'm0', 'm90']);
    expect(ids(meanings, 40, 1)).toEqual(['m30']);
    expect(meanings.nearest(at(0), 1)[0]?.cosine).toBeCloseTo(1, 1);
  });
  it('takes a new vector for an old one, forgets, and passes over other lengths', () => {
    const meanings = new Meanings();
    meanings.set('a', at(0));
    meanings.set('b', at(10));
    meanings.set('a', at(90));
    meanings.set('long', quantise([1, 2, 3]));
    expect(ids(meanings, 90)).toEqual(['a']);
    meanings.forget('a');
    expect(ids(meanings, 90)).toEqual([]);
    expect(meanings.size).toBe(1);
    expect(meanings.nearest(quantise([1, 2, 3]), 5)).toEqual([]);
  });
  it('finds the same among many as a sort of all does', () => {
    const meanings = new Meanings();
    const all = Array.from({ length: 500 }, (_, i) => ({ id: `m${i}`, degrees: (i * 137) % 90 }));
    for (const { id, degrees } of all) meanings.set(id, at(degrees));
    const best = meanings.nearest(at(45), 8).map(({ cosine }) => cosine);
    const sorted = new Meanings();
    for (const { id, degrees } of all) sorted.set(id, at(degrees));
    expect(best).toEqual(
      sorted
        .nearest(at(45), 500)
        .slice(0, 8)
        .map(({ cosine }) => cosine),
    );
  });
});

describe('words and meaning together', () => {
  const ranked = [
    { id: 'words', score: 0.5, rivals: [], repeats: [] },
    { id: 'both', score: 0.4, rivals: ['x'], repeats: [] },
  ];
  it('lifts what has both, and brings in what is near in meaning alone', () => {
    const fused = fuseMeanings(ranked, [
      { id: 'both', cosine: 0.7, strength: 0.9 },
      { id: 'meaning', cosine: 0.6, strength: 0.7 },
      { id: 'far', cosine: 0.3, strength: 0 },
    ]);
    expect(fused.map((one) => one.id)).toEqual(['both', 'words', 'meaning']);
    expect(fused[0]?.rivals).toEqual(['x']);
    expect(fused.every((one) => one.score > 0 && one.score < 1)).toBe(true);
  });
  it('changes nothing without meanings', () => {
    expect(fuseMeanings(ranked, []).map((one) => one.score)).toEqual([expect.closeTo(0.5), expect.closeTo(0.4)]);
  });
});
