/** Words that mean the same to the made embedding. */
const MEANINGS = [
  ['peanuts', 'nuts', 'allergic', 'allergy', 'intolerant', 'sensitivity'],
  ['train', 'trains', 'railway', 'rail', 'locomotive'],
  ['sister', 'sibling', 'sisters'],
];

/** An embedding without a model: a place for each of a few meanings, and one, by its letters, for every other word. Deterministic. */
export function madeEmbedding(text: string, size: number): number[] {
  const embedding = Array.from({ length: size }, () => 0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word));
    const other =
      MEANINGS.length +
      (([...word].reduce((sum, c) => sum * 31 + (c.codePointAt(0) ?? 0), 7) >>> 0) % (size - MEANINGS.length));
    const at = meaning >= 0 ? meaning : other;
    embedding[at] = (embedding[at] ?? 0) + (meaning >= 0 ? 3 : 0.5);
  }
  return embedding;
}
