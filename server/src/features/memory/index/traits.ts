import { CUE } from '../../../platform/language/cues.ts';
import { asks } from '../../../platform/language/sentences.ts';

/** What a text shows without knowing the question, one bit each. */
export const TRAIT = {
  asks: 1,
  time: 2,
  number: 4,
  names: 8,
  self: 16,
  agent: 32,
  file: 64,
  replies: 128,
  claims: 256,
} as const;

/** A capital inside a sentence, other than “I” and its contractions. */
const NAMES = /\s["'“‘]?(?!I\b)\p{Lu}(?<=[\p{Ll}\p{N},;:)]["'“‘]?\s["'“‘]?\p{Lu})/u;
const SELF = /\b(I|my|me|mine|we|our|us|I'm|I've|we're|we've)\b/;

/** Begins with a greeting, thanks or agreement. */
const REPLIES =
  /^(\w+: )?(hi|hey|hello|thanks|thank you|wow|congrats|congratulations|that's (great|awesome|amazing|so|cool|really|wonderful|good|nice)|sounds|great|awesome|cool|nice|yeah|you're|no problem|sure|absolutely|definitely|bye|take care|glad|good luck)\b/i;
/** The traits of a text as bits, given the cues of its words. Only the beginning is read, so no text is slow. */
export function traitsOf(text: string, cues: number): number {
  const read = text.slice(0, 2_000);
  let bits = asks(text) ? TRAIT.asks : 0;
  if ((cues & CUE.time) !== 0) bits |= TRAIT.time;
  if ((cues & CUE.number) !== 0) bits |= TRAIT.number;
  if (NAMES.test(read)) bits |= TRAIT.names;
  if (REPLIES.test(read)) bits |= TRAIT.replies;
  if ((cues & CUE.self) !== 0 && SELF.test(read)) bits |= TRAIT.self;
  return bits;
}

/** The traits that a question wants in its answer. */
export interface Wants {
  when: boolean;
  number: boolean;
  place: boolean;
}

export function wantsOf(text: string): Wants {
  const asks = (pattern: RegExp) => pattern.test(text);
  return {
    when: asks(/\bwhen\b|\bhow long\b|\bwhat (date|day|month|year|time)\b/i),
    number: asks(/\bhow (many|much|often|old|long|far|tall|big|large)\b|\bwhat (age|number|amount|price)\b/i),
    place: asks(/\bwhere\b|\b(which|what) (city|country|state|place|town|area|location|park|street)\b/i),
  };
}
