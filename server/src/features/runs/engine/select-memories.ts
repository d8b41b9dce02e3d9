import { type Piece, piecesOf, writePieces } from '../../../platform/language/pieces.ts';
import { chooseSentences, type Relevance, relevanceTo } from '../../../platform/language/relevance.ts';
import { addsNothing, isRefusal } from '../../../platform/language/repeats.ts';
import { SaidBefore } from '../../../platform/language/said-before.ts';
import { sentencesOf } from '../../../platform/language/sentences.ts';
import type { Recalled } from '../../memory/memory.service.ts';
import type { Exchange } from './budget.ts';
import { type Summary, sizeOf } from './quotations.ts';

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
  prompt: string;
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
  const { prompt, inputText, history, recalled } = parts;
  // Other blocks of the prompt that stand before the memories, such as a list of facts, are added here.
  const frame = new SaidBefore([prompt, inputText]);
  const talk = new SaidBefore(history.flatMap((exchange) => [exchange.inputText, exchange.message]));
  const summary = freshSummary(parts.summary, [frame, talk]);
  if (recalled.length === 0) return { memories: [], summary };
  return { memories: quoteFitting(parts, readMemories(recalled, inputText), { frame, talk }), summary };
}

/** A memory, cut to the sentences that matter. */
interface Candidate {
  memory: Recalled;
  pieces: readonly Piece[];
  chosen: ReadonlySet<number>;
}

function readMemories(recalled: readonly Recalled[], inputText: string): Candidate[] {
  const read = recalled
    .map((memory) => ({ memory, pieces: piecesOf(memory.text) }))
    .filter(({ memory, pieces }) => !isIdle(memory) || !isRefusal(pieces.map(({ text }) => text)));
  const all = read.flatMap(({ pieces }) => pieces);
  const relevance = relevanceTo(inputText, all);
  return read.map(({ memory, pieces }) => ({ memory, pieces, chosen: choose(memory, pieces, relevance) }));
}

/** An answer that nobody asked to keep: it is given only for what it adds. */
const isIdle = ({ kind, pinned }: Recalled) => kind === 'agent' && pinned !== true;

function choose({ kind, pinned, text }: Recalled, pieces: readonly Piece[], relevance: Relevance): ReadonlySet<number> {
  if (kind === 'file' || pinned || text.length <= SHORT) return new Set(pieces.keys());
  return chooseSentences(pieces, relevance, LENGTH[kind]);
}

interface Before {
  /** What the model is told in any case: no reason to mention a memory. */
  frame: SaidBefore;
  talk: SaidBefore;
}

function quoteFitting({ limit, tokens }: PastParts, candidates: Candidate[], { frame, talk }: Before): Recalled[] {
  const quoted = new SaidBefore();
  const persons = candidates.flatMap(({ memory, pieces, chosen }) =>
    memory.kind === 'person' ? textsOf(pieces, chosen) : [],
  );
  const given: Recalled[] = [];
  let [left, used, seen] = [tokens, 0, 0];
  for (const { memory, pieces, chosen } of personFirst(candidates)) {
    const isPinned = memory.pinned === true;
    if (!isPinned) seen += 1;
    if (!isPinned && used === limit) continue;
    const isSaid = (text: string) => frame.holds(text) || talk.holds(text) || quoted.holds(text);
    const isNews = (text: string) => !isSaid(text) && !(isIdle(memory) && addsNothing(text, persons));
    const fresh = new Set([...chosen].filter((at) => isNews(pieces[at]?.text ?? '')));
    const isHeld = !hasWords(pieces, fresh, chosen.size > fresh.size);
    // The best of what the conversation holds is named, as far as it would have been quoted.
    if (isHeld && (isIdle(memory) || seen > limit)) continue;
    const kept = isHeld ? new Set([...chosen].filter((at) => talk.holds(pieces[at]?.text ?? ''))) : fresh;
    if (kept.size === 0) continue;
    const text = writePieces(memory.text, pieces, kept);
    const item: Recalled = { ...memory, text, ...(isHeld ? { inConversation: true } : {}) };
    const size = sizeOf([item]);
    if (size > left) continue;
    left -= size;
    given.push(item);
    if (isHeld) continue;
    if (!isPinned) used += 1;
    for (const told of textsOf(pieces, kept)) quoted.add(told);
  }
  return given;
}

const textsOf = (pieces: readonly Piece[], places: ReadonlySet<number>) =>
  [...places].map((at) => pieces[at]?.text ?? '');

/** Whether these pieces say anything: titles, or the crumbs between sentences that were said before, do not. */
function hasWords(pieces: readonly Piece[], places: ReadonlySet<number>, isRest: boolean): boolean {
  return [...places].some((at) => {
    const { kind, text, extra } = pieces[at] ?? { kind: 'heading', text: '', extra: '' };
    if (kind === 'heading' && pieces.length > 1) return false;
    if (kind === 'row' && extra !== '') return false;
    return !isRest || (!text.endsWith(':') && text.split(' ').length > 3);
  });
}

/** In the order found, but of equal scores the person's own words first. */
function personFirst(candidates: readonly Candidate[]): Candidate[] {
  const rank = ({ memory }: Candidate) => (memory.kind === 'agent' ? 1 : 0);
  return candidates.toSorted(
    (a, b) =>
      Number(b.memory.pinned === true) - Number(a.memory.pinned === true) ||
      b.memory.score - a.memory.score ||
      rank(a) - rank(b),
  );
}

/** The summary without the sentences that the prompt holds elsewhere, or that it repeats. */
function freshSummary(
  summary: Summary | undefined,
  [frame, talk]: readonly [SaidBefore, SaidBefore],
): Summary | undefined {
  if (summary === undefined) return undefined;
  const lines = summary.text.split('\n').flatMap((line) => {
    const fresh = sentencesOf(line).filter((sentence) => {
      if (frame.holds(sentence) || talk.holds(sentence)) return false;
      talk.add(sentence);
      return true;
    });
    return fresh.length === 0 ? [] : [fresh.join(' ')];
  });
  return { ...summary, text: lines.join('\n') };
}
