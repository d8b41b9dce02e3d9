import { type Piece, piecesOf, writePieces } from '../../../platform/language/pieces.ts';
import { chooseSentences, continues, type Relevance, relevanceTo } from '../../../platform/language/relevance.ts';
import { isRefusal, PersonsWords } from '../../../platform/language/repeats.ts';
import { isSaid, SaidBefore } from '../../../platform/language/said-before.ts';
import { isQuestion, sentencesOf } from '../../../platform/language/sentences.ts';
import type { Recalled } from '../../memory/memory.service.ts';
import type { Exchange } from './budget.ts';
import type { Summary } from './context.queries.ts';
import { sizeOf } from './quotations.ts';

/** A text of at most this many characters is given whole. */
const SHORT = 320;
/** About how many characters of a longer one are given. A file's passages are cut to size when it is read. */
const LENGTH = { person: 500, agent: 360 };

/** What the model gets of the past beside the conversation itself. */
export interface Past {
  memories: Recalled[];
  summary: Summary | undefined;
}

export interface PastParts {
  /**
   * What the prompt holds in any case: the agent's prompt, the message, and every block that stands before the memories. A memory of the
   * same words is left out.
   */
  held: readonly string[];
  inputText: string;
  /** The exchanges that the model gets word for word. */
  history: readonly Exchange[];
  summary: Summary | undefined;
  /** Best first; those with `pinned` go along whatever the message is about. */
  recalled: readonly Recalled[];
  /** How many memories to quote at most, pinned ones aside. */
  limit: number;
  /** How many tokens they may take. */
  tokens: number;
}

/**
 * Decides what of the past the prompt quotes, so that no sentence of four words or more stands in it twice. What comes first keeps its
 * words: the agent's prompt and the conversation, the summary, the memories. Of a long memory only the sentences that matter for the
 * message are quoted. What the person said and the conversation already holds is marked, not quoted again.
 */
export function selectPast(parts: PastParts): Past {
  const held = new SaidBefore(parts.held);
  const talk = new SaidBefore(parts.history.flatMap((exchange) => [exchange.inputText, exchange.message]));
  const summary = freshSummary(parts.summary, held, talk);
  const candidates = readMemories(parts.recalled, parts.inputText);
  const persons = new PersonsWords(() => [
    ...candidates.flatMap((one) => (one.memory.kind === 'person' ? textsOf(one.pieces, one.chosen) : [])),
    ...parts.history.flatMap(({ inputText }) => sentencesOf(inputText)),
  ]);
  return { memories: quoteFitting(parts, candidates, { held, talk, quoted: new SaidBefore(), persons }), summary };
}

/** A memory, cut to the sentences that matter. */
interface Candidate {
  memory: Recalled;
  pieces: readonly Piece[];
  chosen: ReadonlySet<number>;
  relevance: Relevance;
}

/** What the prompt says so far. */
interface Said {
  held: SaidBefore;
  talk: SaidBefore;
  quoted: SaidBefore;
  persons: PersonsWords;
}

function readMemories(recalled: readonly Recalled[], inputText: string): Candidate[] {
  const read = recalled
    .map((memory) => ({ memory, pieces: piecesOf(memory.text) }))
    .filter(({ memory, pieces }) => !isIdle(memory) || !isRefusal(pieces.map(({ text }) => text)));
  const relevance = relevanceTo(
    inputText,
    read.flatMap(({ pieces }) => pieces),
  );
  return read.map(({ memory, pieces }) => ({ memory, pieces, chosen: choose(memory, pieces, relevance), relevance }));
}

/** An answer that nobody asked to keep: it is given only for what it adds. */
const isIdle = ({ kind, pinned }: Recalled) => kind === 'agent' && pinned !== true;

function choose({ kind, pinned, text }: Recalled, pieces: readonly Piece[], relevance: Relevance): ReadonlySet<number> {
  if (kind === 'file' || kind === 'fact' || pinned || text.length <= SHORT) return new Set(pieces.keys());
  return chooseSentences(pieces, relevance, LENGTH[kind]);
}

function quoteFitting({ limit, tokens }: PastParts, candidates: readonly Candidate[], said: Said): Recalled[] {
  const given: Recalled[] = [];
  let [left, quoted, seen] = [tokens, 0, 0];
  for (const candidate of candidates.toSorted(byUse)) {
    const counts = candidate.memory.pinned !== true;
    if (counts) seen += 1;
    // What the conversation holds is marked only where it would have been quoted.
    const item =
      (!counts || quoted < limit) && (quoteFresh(candidate, said) ?? (seen <= limit && markHeld(candidate, said)));
    if (!item) continue;
    const size = sizeOf([item]);
    if (size > left) continue;
    left -= size;
    given.push(item);
    if (item.inConversation) continue;
    if (counts) quoted += 1;
    for (const { text } of piecesOf(item.text)) said.quoted.add(text);
  }
  return given.toSorted(byScore);
}

/** A memory with its sentences that are new to the prompt; undefined when there are none. */
function quoteFresh({ memory, pieces, chosen, relevance }: Candidate, said: Said): Recalled | undefined {
  if (said.talk.isText(memory.text)) return undefined;
  const own = new SaidBefore();
  const fresh = new Set<number>();
  for (const at of [...chosen].toSorted((a, b) => a - b)) {
    const piece = pieces[at];
    if (piece === undefined) continue;
    const { text } = piece;
    if (isSaid(text, [said.held, said.talk, said.quoted, own])) continue;
    if (isIdle(memory) && (isOrphan(piece, at, chosen, fresh) || said.persons.repeatedBy(text))) continue;
    own.add(text);
    fresh.add(at);
  }
  const isRest = fresh.size < chosen.size;
  const says = [...fresh]
    .flatMap((at) => pieces[at] ?? [])
    .filter((piece) => pieces.length === 1 || isTold(piece, isRest));
  // The rest of an answer that repeated something is often only its frame.
  if (says.length === 0 || (isRest && isIdle(memory) && says.every((piece) => relevance(piece) === 0)))
    return undefined;
  return { ...memory, text: writePieces(memory.text, pieces, fresh) };
}

/** Whether a sentence continues one that was left out as a repetition. */
const isOrphan = (piece: Piece, at: number, chosen: ReadonlySet<number>, fresh: ReadonlySet<number>) =>
  continues(piece) && chosen.has(at - 1) && !fresh.has(at - 1);

/** Whether a piece says something: a title does not, nor does a crumb between sentences that were left out. */
function isTold({ kind, text, extra }: Piece, isRest: boolean): boolean {
  if (kind === 'heading' || (kind === 'row' && extra !== '')) return false;
  return !isRest || (!text.endsWith(':') && text.split(' ').length > 3);
}

/** A memory whose words the conversation holds, for the receipt; undefined for answers, which stand there anyway. */
function markHeld({ memory, pieces, chosen }: Candidate, { talk }: Said): Recalled | undefined {
  if (isIdle(memory) || asksOnly(pieces)) return undefined;
  const whole = talk.isText(memory.text);
  const held = new Set([...chosen].filter((at) => whole || talk.holds(pieces[at]?.text ?? '')));
  return held.size === 0
    ? undefined
    : { ...memory, text: writePieces(memory.text, pieces, held), inConversation: true };
}

const textsOf = (pieces: readonly Piece[], places: ReadonlySet<number>) =>
  [...places].map((at) => pieces[at]?.text ?? '');

/** Pinned ones, then the best; of equal scores the person's own words first. */
const byScore = (a: Recalled, b: Recalled): number =>
  Number(b.pinned === true) - Number(a.pinned === true) ||
  b.score - a.score ||
  Number(a.kind === 'agent') - Number(b.kind === 'agent');

/** The same, but questions last: what was asked helps less than what was told. */
const byUse = (a: Candidate, b: Candidate): number =>
  Number(asksOnly(a.pieces)) - Number(asksOnly(b.pieces)) || byScore(a.memory, b.memory);

const asksOnly = (pieces: readonly Piece[]) => pieces.every(({ text }) => isQuestion(text));

/** The summary without sentences that the prompt holds elsewhere or that it repeats; what is left of it counts as talk from now on. */
function freshSummary(summary: Summary | undefined, held: SaidBefore, talk: SaidBefore): Summary | undefined {
  if (summary === undefined) return undefined;
  const lines = summary.text.split('\n').flatMap((line) => {
    const fresh = sentencesOf(line).filter((sentence) => {
      if (isSaid(sentence, [held, talk])) return false;
      talk.add(sentence);
      return true;
    });
    return fresh.length === 0 ? [] : [fresh.join(' ')];
  });
  return { ...summary, text: lines.join('\n') };
}
