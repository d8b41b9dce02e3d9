import { contentStems, gramsOf, isQuestion, stem, wordsOf } from './memory-text.ts';
import { Postings } from './postings.ts';
import { fuse, type Query, scoreSignals } from './signals.ts';

/** What the ranking is told of one memory. */
export interface Entry {
  id: string;
  sessionId: string;
  kind: 'person' | 'agent' | 'file';
  speaker: string | null;
  text: string;
}

export interface Ranked {
  id: string;
  /** 0 to 1: the share of what a perfect match would score. */
  score: number;
}

/** One memory inside the index. */
export interface Row {
  id: string;
  session: number;
  /** Its place among the rows of its session. */
  place: number;
  kind: Entry['kind'];
  speaker: string | null;
  asks: boolean;
  tellsTime: boolean;
  stems: string[];
}

const TIME =
  /\b(yesterday|today|tonight|tomorrow|recently|ago|since|last|next|week|weekend|month|year|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{4}|\d{1,2}(st|nd|rd|th))\b/i;

/** The searchable memories of one agent, in the order in which they were said. Pure: knows no database, no clock. */
export class MemoryIndex {
  readonly rows: Row[] = [];
  readonly words = new Postings();
  readonly grams = new Postings();
  /** The rows of each session, in order; a row's neighbours are found here. */
  readonly sessions: number[][] = [];
  readonly speakers = new Set<string>();
  readonly #sessionNumber = new Map<string, number>();
  readonly #rowOf = new Map<string, number>();
  readonly #forgotten = new Set<number>();

  /** A rough size in bytes; the postings dominate. */
  get bytes(): number {
    return (
      (this.words.pairs + this.grams.pairs) * 18 + (this.words.terms + this.grams.terms) * 150 + this.rows.length * 400
    );
  }

  /** Adds a memory; one that is known already stays as it is. */
  add(entry: Entry): void {
    if (this.#rowOf.has(entry.id)) return;
    const row = this.rows.length;
    const words = wordsOf(entry.text);
    const stems = contentStems(words);
    const session = this.#session(entry.sessionId);
    const inSession = this.sessions[session] ?? [];
    const speaker = entry.speaker === null ? null : stem(wordsOf(entry.speaker)[0] ?? '');
    if (speaker) this.speakers.add(speaker);
    this.rows.push({
      id: entry.id,
      session,
      place: inSession.length,
      kind: entry.kind,
      speaker,
      asks: isQuestion(entry.text),
      tellsTime: TIME.test(entry.text.slice(0, 2_000)),
      stems,
    });
    inSession.push(row);
    this.words.add(stems);
    this.grams.add(gramsOf(words));
    this.#rowOf.set(entry.id, row);
  }

  /** Never answers this memory again. */
  forget(id: string): void {
    const row = this.#rowOf.get(id);
    if (row !== undefined) this.#forgotten.add(row);
  }

  /** The best rows for a text, best first; nothing where nothing is near enough. `sessionId` keeps to one session. */
  rank(text: string, limit: number, sessionId?: string): Ranked[] {
    const only = sessionId === undefined ? undefined : this.#sessionNumber.get(sessionId);
    if (sessionId !== undefined && only === undefined) return [];
    const query = this.#query(text);
    if (query.grams.length === 0) return [];
    const scores = fuse(scoreSignals(this, query), this, query);
    const found: number[] = [];
    for (let row = 0; row < scores.length; row += 1) {
      const wanted = only === undefined || this.rows[row]?.session === only;
      if (wanted && (scores[row] ?? 0) > 0 && !this.#forgotten.has(row)) found.push(row);
    }
    found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a);
    return found.slice(0, limit).map((row) => ({ id: this.rows[row]?.id ?? '', score: scores[row] ?? 0 }));
  }

  /** The row `by` places after this one in its session, if there is one. */
  neighbour(row: number, by: number): number | undefined {
    const at = this.rows[row];
    return at && this.sessions[at.session]?.[at.place + by];
  }

  #query(text: string): Query {
    const words = wordsOf(text);
    const stems = contentStems(words);
    return {
      stems,
      grams: gramsOf(words),
      named: new Set(stems.filter((s) => this.speakers.has(s))),
      asksWhen: /\bwhen\b|\bhow long\b|\bwhat (date|day|month|year|time)\b/i.test(text),
    };
  }

  #session(id: string): number {
    const known = this.#sessionNumber.get(id);
    if (known !== undefined) return known;
    this.#sessionNumber.set(id, this.sessions.length);
    this.sessions.push([]);
    return this.sessions.length - 1;
  }
}
