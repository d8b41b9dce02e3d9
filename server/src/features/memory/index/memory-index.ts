import { CUE } from '../../../platform/language/cues.ts';
import { dayOf, findSpan, type Span } from '../../../platform/language/dates.ts';
import { tellsChange } from '../../../platform/language/facts/statement.ts';
import { slotOf } from '../../../platform/language/slots.ts';
import { hashOf } from '../../../platform/language/word-hash.ts';
import { readWords, type Word } from '../../../platform/language/words.ts';
import { Postings } from './postings.ts';
import { Rows } from './rows.ts';
import { Sessions } from './session-scores.ts';
import { TRAIT, traitsOf } from './traits.ts';

/** One memory, as added to the index. */
export interface Entry {
  id: string;
  sessionId: string;
  kind: 'person' | 'agent' | 'file';
  speaker: string | null;
  text: string;
  /** When it was said, in milliseconds since 1970. */
  at: number;
}

/** How many characters of a text are read, so that none is slow. */
const READ_MAX = 2_000;
/** In characters. A message is stored in parts that are at least this long, but for the last. */
const PART_MIN = 333;
/** The hashed terms of the row being added, reused so that no new list is made. */
const [stems, forms]: [number[], number[]] = [[], []];
/** The hash of a concept of which a person has one at a time, such as a home; 0 for other texts. */
function slotHash(text: string): number {
  const slot = slotOf(text);
  return slot === undefined ? 0 : hashOf(`slot ${slot}`);
}

/**
 * The searchable memories of one agent, in storage order. Pure: knows no database and no clock. Rows are listed under their stems and
 * words; runs of characters lead to words, concepts to stems.
 */
export class MemoryIndex {
  readonly rows = new Rows();
  readonly words = new Postings();
  readonly forms = new Postings();
  /** Which words contain a run of characters; its rows are numbers of `forms`. */
  readonly grams = new Postings();
  /** Which rows mention a concept of which a person has one at a time. */
  readonly slots = new Postings();
  readonly sessions = new Sessions();
  /** The hashes of the speakers' first names. */
  readonly speakers = new Set<number>();
  /** The first and the last day of any memory. */
  readonly days: Span = { from: 0, to: -1 };
  readonly #rowOf = new Map<string, number>();

  /** The size of the index in bytes, rounded up. */
  get bytes(): number {
    const lists = this.words.bytes + this.forms.bytes + this.grams.bytes + this.slots.bytes;
    return lists + this.rows.bytes + this.sessions.bytes + 2_000;
  }

  /** How many memories can be found. */
  get size(): number {
    return this.words.rows;
  }

  /** How many rows belong to forgotten memories. */
  get holes(): number {
    return this.rows.size - this.size;
  }

  /** The number of a memory's session; undefined for one that is not here. */
  sessionOf(id: string): number | undefined {
    return this.rows.session[this.#rowOf.get(id) ?? -1];
  }

  /** Adds a memory; one that was added before stays as it is. */
  add(entry: Entry): void {
    if (this.#rowOf.has(entry.id)) return;
    const words = readWords(entry.text);
    stems.length = 0;
    forms.length = 0;
    let [cues, grams, matters] = [0, 0, 0];
    for (const word of words) {
      cues |= word.cues;
      if (word.hash === 0) continue;
      stems.push(word.hash);
      forms.push(word.form);
      grams += word.grams.length;
      matters += word.concepts.all.length;
    }
    const { rows } = this;
    const row = rows.append(entry.id, this.words.add(rows.size, stems));
    this.#addForms(row, words);
    const slot = entry.kind === 'person' && (cues & CUE.slot) !== 0 ? slotHash(entry.text) : 0;
    this.slots.add(row, slot === 0 ? [] : [slot]);
    rows.slot[row] = slot;
    this.#rowOf.set(entry.id, row);
    rows.measure(row, stems.length, grams, matters);
    this.#describe(row, entry, cues);
    this.#link(row, entry.sessionId);
  }

  /** Removes memories and their words for good. */
  forget(ids: readonly string[]): void {
    const gone = new Set<number>();
    for (const id of ids) {
      const row = this.#rowOf.get(id);
      if (row !== undefined && this.rows.ids[row] !== '') gone.add(row);
      else this.#rowOf.set(id, row ?? -1);
    }
    for (const postings of [this.words, this.forms, this.slots]) postings.remove(gone);
    for (const row of gone) {
      const session = this.rows.session[row] ?? 0;
      this.#lengthen(session, row, -1);
      if (this.sessions.last[session] === row) this.sessions.last[session] = this.rows.previous[row] ?? -1;
      this.rows.blank(row);
    }
  }

  /** Adds words that are new to the index, with their runs of characters. */
  #addForms(row: number, words: readonly Word[]): void {
    const { terms } = this.forms;
    let next = terms.size;
    this.forms.add(row, forms);
    for (const word of words) {
      if (next === terms.size) return;
      if (word.hash === 0 || terms.find(word.form) !== next) continue;
      this.grams.add(next, word.grams);
      next += 1;
    }
  }

  #link(row: number, sessionId: string): void {
    const { rows, sessions } = this;
    const session = sessions.take(sessionId, rows.day[row] ?? 0);
    const previous = sessions.last[session] ?? -1;
    rows.session[row] = session;
    rows.previous[row] = previous;
    rows.next[row] = -1;
    if (previous >= 0) {
      rows.next[previous] = row;
      if (this.#continues(row, previous)) rows.traits[row] = (rows.traits[row] ?? 0) | TRAIT.continues;
    }
    sessions.last[session] = row;
    this.#lengthen(session, row, 1);
  }

  #continues(row: number, previous: number): boolean {
    const { traits, speaker } = this.rows;
    const [mine, before] = [traits[row] ?? 0, traits[previous] ?? 0];
    const sameKind = ((mine ^ before) & (TRAIT.agent | TRAIT.file)) === 0;
    return sameKind && speaker[row] === speaker[previous] && (before & TRAIT.long) !== 0;
  }

  #lengthen(session: number, row: number, sign: 1 | -1): void {
    const isPersons = ((this.rows.traits[row] ?? 0) & TRAIT.agent) === 0;
    const lengths = isPersons ? this.sessions.lengths : this.sessions.agentLengths;
    lengths[session] = (lengths[session] ?? 0) + sign * (this.rows.length[row] ?? 0);
  }

  #describe(row: number, entry: Entry, cues: number): void {
    const { rows, days } = this;
    const text = entry.text.slice(0, READ_MAX);
    const day = dayOf(entry.at);
    const span = (cues & CUE.earlier) === 0 ? undefined : findSpan(text, day);
    rows.day[row] = day;
    rows.spanFrom[row] = span?.from ?? 0;
    rows.spanTo[row] = span?.to ?? -1;
    days.from = days.to < days.from ? day : Math.min(days.from, day);
    days.to = Math.max(days.to, day);
    const kind = entry.kind === 'person' ? 0 : TRAIT[entry.kind];
    const changes = (cues & CUE.change) !== 0 && tellsChange(text);
    const claims = entry.kind === 'person' && (changes || rows.slot[row] !== 0) ? TRAIT.claims : 0;
    const long = entry.text.length >= PART_MIN ? TRAIT.long : 0;
    rows.traits[row] = traitsOf(text, cues) | kind | claims | long;
    rows.same[row] = hashOf(`${entry.kind} ${entry.speaker ?? ''} ${text.toLowerCase()}`);
    const speaker = entry.speaker === null ? 0 : (readWords(entry.speaker)[0]?.hash ?? 0);
    rows.speaker[row] = speaker;
    if (speaker !== 0) this.speakers.add(speaker);
  }
}
