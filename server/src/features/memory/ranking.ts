import { chooseCandidates } from './candidates.ts';
import { gather } from './gather.ts';
import { dayOf, spanTold } from './memory-dates.ts';
import { readWord, wordsOf } from './memory-text.ts';
import { Postings } from './postings.ts';
import { readQuery } from './query.ts';
import { Rows } from './rows.ts';
import { scoreSignals, SIGNALS, type Values } from './signals.ts';
import { TRAIT, traitsOf } from './traits.ts';
import { WEIGHTS } from './weights.ts';

/** What the ranking is told of one memory. */
export interface Entry {
  id: string;
  sessionId: string;
  kind: 'person' | 'agent' | 'file';
  speaker: string | null;
  text: string;
  /** When it was said, in milliseconds since 1970. */
  at: number;
}

export interface Ranked {
  id: string;
  /** 0 to 1: the share of what a perfect match would score. */
  score: number;
}

/** The searchable memories of one agent, in the order in which they were stored. Pure: knows no database, no clock. */
export class MemoryIndex {
  readonly rows = new Rows();
  readonly words = new Postings({ k1: 0.9, b: 0.4, mean: 10 });
  readonly grams = new Postings({ k1: 0.9, b: 0.4, mean: 45 });
  readonly concepts = new Postings({ k1: 0.9, b: 0.4, mean: 6 });
  /** How many words each session holds. */
  readonly sessionLengths: number[] = [];
  readonly #speakers = new Set<number>();
  readonly #sessionNumber = new Map<string, number>();
  readonly #lastOf: number[] = [];
  readonly #rowOf = new Map<string, number>();
  readonly #forgotten = new Set<number>();

  get bytes(): number {
    return this.words.bytes + this.grams.bytes + this.rows.bytes + this.sessionLengths.length * 150;
  }

  /** Adds a memory; one that is known already stays as it is. */
  add(entry: Entry): void {
    if (this.#rowOf.has(entry.id)) return;
    const words = wordsOf(entry.text).map(readWord);
    const stems: number[] = [];
    const grams: number[] = [];
    const concepts: number[] = [];
    for (const word of words) {
      if (word.hash === 0) continue;
      stems.push(word.hash);
      for (const concept of word.concepts) concepts.push(concept);
      for (const gram of word.grams) grams.push(gram);
    }
    const { rows } = this;
    const row = rows.append(entry.id, this.words.add(rows.size, stems));
    this.grams.add(row, grams);
    this.concepts.add(row, concepts);
    const session = this.#session(entry.sessionId);
    const previous = this.#lastOf[session] ?? -1;
    rows.session[row] = session;
    rows.previous[row] = previous;
    rows.next[row] = -1;
    if (previous >= 0) rows.next[previous] = row;
    this.#lastOf[session] = row;
    this.sessionLengths[session] = (this.sessionLengths[session] ?? 0) + stems.length;
    const day = dayOf(entry.at);
    const span = spanTold(entry.text.slice(0, 2_000), day);
    rows.day[row] = day;
    rows.spanFrom[row] = span?.from ?? 0;
    rows.spanTo[row] = span?.to ?? -1;
    rows.traits[row] = traitsOf(entry.text) | (entry.kind === 'agent' ? TRAIT.agent : 0) | (entry.kind === 'file' ? TRAIT.file : 0);
    const speaker = entry.speaker === null ? 0 : readWord(wordsOf(entry.speaker)[0] ?? '').hash;
    if (speaker !== 0) this.#speakers.add(speaker);
    rows.speaker[row] = speaker;
    rows.length[row] = Math.min(65_535, stems.length);
    this.#rowOf.set(entry.id, row);
  }

  forget(id: string): void {
    const row = this.#rowOf.get(id);
    if (row !== undefined) this.#forgotten.add(row);
  }

  isSpeakerTerm(term: number): boolean {
    for (const hash of this.#speakers) if (this.words.terms.find(hash) === term) return true;
    return false;
  }

  /** The signals of what is near enough to a text, for the ranking and for learning its weights. */
  signals(text: string): { candidates: number[]; values: Values } {
    const query = readQuery(text, (hash) => this.#speakers.has(hash));
    if (query.grams.length === 0) return { candidates: [], values: new Float32Array(0) };
    const gathered = gather(this.words, this.grams, this.rows, query);
    const candidates = chooseCandidates(this.rows, gathered);
    return { candidates, values: scoreSignals(this, query, gathered, candidates) };
  }

  rank(text: string, limit: number, sessionId?: string): Ranked[] {
    const only = sessionId === undefined ? undefined : this.#sessionNumber.get(sessionId);
    if (sessionId !== undefined && only === undefined) return [];
    const { candidates, values } = this.signals(text);
    const found: { row: number; score: number }[] = [];
    for (const [c, row] of candidates.entries()) {
      let score = 0;
      for (const [s, name] of SIGNALS.entries()) score += WEIGHTS[name] * (values[c * SIGNALS.length + s] ?? 0);
      if (only !== undefined && this.rows.session[row] !== only) continue;
      if (!this.#forgotten.has(row)) found.push({ row, score });
    }
    found.sort((a, b) => b.score - a.score || b.row - a.row);
    return found.slice(0, limit).map(({ row, score }) => ({ id: this.rows.ids[row] ?? '', score }));
  }

  #session(id: string): number {
    const known = this.#sessionNumber.get(id);
    if (known !== undefined) return known;
    this.#sessionNumber.set(id, this.sessionLengths.length);
    this.sessionLengths.push(0);
    return this.sessionLengths.length - 1;
  }
}
