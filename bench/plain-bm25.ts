/** The textbook's settings, and those that suit short texts: a set is compared with the better one. */
const SETTINGS = [
  { k1: 1.2, b: 0.75 },
  { k1: 0.9, b: 0.4 },
];

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** BM25 (Robertson & Zaragoza 2009) of whole words, nothing else: what memory has to beat. Ranks the texts, by number, for a query. */
export function plainBm25(texts: string[]): ((query: string) => number[])[] {
  const bags = texts.map((text) => {
    const bag = new Map<string, number>();
    for (const word of wordsOf(text)) bag.set(word, (bag.get(word) ?? 0) + 1);
    return bag;
  });
  const lengths = bags.map((bag) => [...bag.values()].reduce((sum, times) => sum + times, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const held = new Map<string, number>();
  for (const bag of bags) for (const word of bag.keys()) held.set(word, (held.get(word) ?? 0) + 1);
  return SETTINGS.map(({ k1, b }) => (query) => {
    const asked = wordsOf(query);
    const score = (bag: Map<string, number>, at: number) => {
      let sum = 0;
      for (const word of asked) {
        const times = bag.get(word);
        if (times === undefined) continue;
        const rows = held.get(word) ?? 0;
        const idf = Math.log(1 + (texts.length - rows + 0.5) / (rows + 0.5));
        sum += (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * (lengths[at] ?? 0)) / mean));
      }
      return sum;
    };
    return bags
      .map((bag, at) => ({ at, score: score(bag, at) }))
      .filter((one) => one.score > 0)
      .sort((x, y) => y.score - x.score || x.at - y.at)
      .map(({ at }) => at);
  });
}
