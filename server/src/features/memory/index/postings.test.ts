import { expect, it } from 'vitest';
import { Postings, rowOf, timesOf } from './postings.ts';

const rowsOf = (postings: Postings, hash: number) => {
  const term = postings.terms.find(hash);
  return term < 0 ? [] : [...postings.list(term)].map(rowOf);
};

it('holds the same as plain lists, however they grow, and after rows were removed', () => {
  const postings = new Postings();
  const plain = new Map<number, number[]>();
  const documents = Array.from({ length: 3_000 }, (_, row) =>
    Array.from({ length: 12 }, (_, i) => 1 + ((row * 7919 + i * i * 31) % (i < 4 ? 5 : 900))),
  );
  for (const [row, hashes] of documents.entries()) {
    const numbers = postings.add(row, hashes);
    expect(numbers).toHaveLength(new Set(hashes).size);
    for (const hash of new Set(hashes)) plain.set(hash, [...(plain.get(hash) ?? []), row]);
  }
  for (const [hash, rows] of plain) expect(rowsOf(postings, hash)).toEqual(rows);
  const gone = new Set([0, 1, 77, 1_500, 2_999]);
  postings.remove(gone);
  for (const [hash, rows] of plain) expect(rowsOf(postings, hash)).toEqual(rows.filter((row) => !gone.has(row)));
  expect(postings.rows).toBe(documents.length - gone.size);
});

it('gives rare terms more weight, and never a negative one', () => {
  const postings = new Postings();
  for (let row = 0; row < 400; row += 1) postings.add(row, row % 10 === 0 ? [1, 2] : [1]);
  const [common, rare] = [1, 2].map((hash) => postings.idf(postings.terms.find(hash)));
  expect(rare).toBeGreaterThan(common ?? Infinity);
  expect(common).toBeGreaterThan(0);
  expect(postings.idf(-1)).toBeGreaterThan(rare ?? Infinity);
});

it('tells how often a row holds a term, up to 255 times', () => {
  const postings = new Postings();
  for (const [row, times] of [1, 2, 300].entries()) postings.add(row, Array(times).fill(7));
  expect([...postings.list(postings.terms.find(7))].map(timesOf)).toEqual([1, 2, 255]);
});

it('counts its bytes', () => {
  const postings = new Postings();
  const before = postings.bytes;
  for (let row = 0; row < 500; row += 1) postings.add(row, [row + 1, row + 2, row + 3]);
  expect(postings.bytes - before).toBeGreaterThan(500 * 3 * 4);
});
