import { chooseCandidates } from './candidates.ts';
import { CUE } from './cues.ts';
import { fuse } from './fuse.ts';
import { addConcepts, type Gathered, gather } from './gather.ts';
import { dayOf, type Span, spanTold } from './memory-dates.ts';
import { Postings } from './postings.ts';
import { readQuery } from './query.ts';
import { findRivals, slotHash } from './rivals.ts';
import { Rows } from './rows.ts';
import { Sessions } from './session-scores.ts';
import { scoreSignals } from './signals.ts';
import { tellsChange } from './statements.ts';
import { TRAIT, traitsOf } from './traits.ts';
import { readWords } from './word-reader.ts';

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
  /** 0 to 1, comparable within one answer. */
  score: number;
  /** Later memories of the same person that may replace this one; whether they do, their texts decide. */
  rivals: string[];
}

/** What is read of a text is bounded, so that none can be slow. */
const READ_MAX = 2_000;
/** So many of the best are looked at for what may have replaced them. */
const RIVALLED = 8;

/** The hashed terms of the row that is being added, kept so that none is made anew. */
const terms: Record<'stems' | 'grams' | 'concepts', number[]> = { stems: [], grams: [], concepts: [] };
function emptied(lists: typeof terms): typeof terms {
  for (const list of [lists.stems, lists.grams, lists.concepts]) list.length = 0;
  return lists;
}

/** The searchable memories of one agent, in the order in which they were stored. Pure: knows no database, no clock. */
export class MemoryIndex {
  readonly rows = new Rows();
  readonly words = new Postings({ k1: 0.9, b: 0.4, mean: 10 });
  readonly grams = new Postings({ k1: 0.9, b: 0.4, mean: 45 });
  readonly concepts = new Postings({ k1: 0.9, b: 0.4, mean: 6 });
  readonly sessions = new Sessions();
  /** The hashes of the first names of those who speak. */
  readonly speakers = new Set<number>();
  /** From the first day on which something was said to the last. */
  readonly days: Span = { from: 0, to: -1 };
  readonly #rowOf = new Map<string, number>();

  /** What the index takes, in bytes, a little more rather than less. */
  get bytes(): number {
    return this.words.bytes + this.grams.bytes + this.concepts.bytes + this.rows.bytes + this.sessions.bytes + 2_000;
  }

  /** How many memories can be found. */
  get size(): number {
    return this.words.rows;
  }

  /** How many rows are left of memories that were forgotten. */
  get holes(): number {
    return this.rows.size - this.size;
  }

  /** Adds a memory; one that is or was known already stays as it is. */
  add(entry: Entry): void {
    if (this.#rowOf.has(entry.id)) return;
    const { stems, grams, concepts } = emptied(terms);
    let cues = 0;
    for (const read of readWords(entry.text)) {
      cues |= read.cues;
      if (read.hash === 0) continue;
      stems.push(read.hash);
      for (const gram of read.grams) grams.push(gram);
      for (const concept of read.concepts.all) concepts.push(concept);
    }
    const { rows } = this;
    const row = rows.append(entry.id, this.words.add(rows.size, stems));
    this.grams.add(row, grams);
    const slot = entry.kind === 'person' && (cues & CUE.slot) !== 0 ? slotHash(entry.text) : 0;
    if (slot !== 0) concepts.push(slot);
    this.concepts.add(row, concepts);
    rows.slot[row] = slot;
    this.#rowOf.set(entry.id, row);
    rows.length[row] = Math.min(65_535, stems.length);
    this.#describe(row, entry, cues);
    this.#link(row, entry.sessionId);
  }

  /** Takes memories out of the index, their words with them; they never come back. */
  forget(ids: readonly string[]): void {
    const gone = new Set<number>();
    for (const id of ids) {
      const row = this.#rowOf.get(id);
      if (row !== undefined && this.rows.ids[row] !== '') gone.add(row);
      else this.#rowOf.set(id, row ?? -1);
    }
    for (const postings of [this.words, this.grams, this.concepts]) postings.remove(gone);
    for (const row of gone) {
      const session = this.rows.session[row] ?? 0;
      this.sessions.lengths[session] = (this.sessions.lengths[session] ?? 0) - (this.rows.length[row] ?? 0);
      if (this.sessions.last[session] === row) this.sessions.last[session] = this.rows.previous[row] ?? -1;
      this.rows.blank(row);
    }
  }

  /** The best rows for a text, best first; nothing where nothing is near enough. `sessionId` keeps to one session. */
  rank(text: string, limit: number, sessionId?: string): Ranked[] {
    const only = sessionId === undefined ? undefined : this.sessions.find(sessionId);
    if (sessionId !== undefined && only === undefined) return [];
    const scored = this.signals(text);
    if (scored === undefined) return [];
    return fuse(this, scored.gathered, scored.values, { limit, session: only }).map(({ row, score }, place) => ({
      id: this.rows.ids[row] ?? '',
      score,
      rivals: place < RIVALLED ? findRivals(this, row).map((rival) => this.rows.ids[rival] ?? '') : [],
    }));
  }

  /** The signals of what is near enough to a text; they hold until the next question. For the ranking, and for learning its weights. */
  signals(text: string): { gathered: Gathered; values: Float32Array } | undefined {
    const query = readQuery(text, (hash) => this.speakers.has(hash));
    if (query.grams.length === 0 || this.size === 0) return undefined;
    const gathered = gather(this, query);
    chooseCandidates(this, gathered);
    addConcepts(this, query, gathered);
    return { gathered, values: scoreSignals(this, query, gathered) };
  }

  #link(row: number, sessionId: string): void {
    const { rows, sessions } = this;
    const session = sessions.take(sessionId, rows.day[row] ?? 0);
    const previous = sessions.last[session] ?? -1;
    rows.session[row] = session;
    rows.previous[row] = previous;
    rows.next[row] = -1;
    if (previous >= 0) rows.next[previous] = row;
    sessions.last[session] = row;
    sessions.lengths[session] = (sessions.lengths[session] ?? 0) + (rows.length[row] ?? 0);
  }

  #describe(row: number, entry: Entry, cues: number): void {
    const { rows, days } = this;
    const text = entry.text.slice(0, READ_MAX);
    const day = dayOf(entry.at);
    const span = (cues & CUE.told) === 0 ? undefined : spanTold(text, day);
    rows.day[row] = day;
    rows.spanFrom[row] = span?.from ?? 0;
    rows.spanTo[row] = span?.to ?? -1;
    days.from = days.to < days.from ? day : Math.min(days.from, day);
    days.to = Math.max(days.to, day);
    const kind = entry.kind === 'person' ? 0 : TRAIT[entry.kind];
    const changes = (cues & CUE.change) !== 0 && tellsChange(text);
    const claims = entry.kind === 'person' && (changes || rows.slot[row] !== 0) ? TRAIT.claims : 0;
    rows.traits[row] = traitsOf(text, cues) | kind | claims;
    const speaker = entry.speaker === null ? 0 : (readWords(entry.speaker)[0]?.hash ?? 0);
    rows.speaker[row] = speaker;
    if (speaker !== 0) this.speakers.add(speaker);
  }
}
