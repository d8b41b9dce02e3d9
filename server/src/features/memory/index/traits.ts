import { CUE } from '../../../platform/language/cues.ts';
import { asks } from '../../../platform/language/sentences.ts';

/** What a text shows without knowing the question, one bit each. */
export const TRAIT = {
  asks: 1,
  time: 2,
  number: 4,
  agent: 8,
  file: 16,
  replies: 32,
  claims: 64,
  /** So long that it may be part of a longer message. */
  long: 128,
  /** Goes on with the message of the row before. */
  continues: 256,
} as const;

/** Begins with a greeting, thanks or agreement. */
const REPLIES =
  /^(\w+: )?(hi|hey|hello|thanks|thank you|wow|congrats|congratulations|that's (great|awesome|amazing|so|cool|really|wonderful|good|nice)|sounds|great|awesome|cool|nice|yeah|you're|no problem|sure|absolutely|definitely|bye|take care|glad|good luck)\b/i;
/** The traits of a text as bits, given the cues of its words. Only the beginning is read, so no text is slow. */
export function traitsOf(text: string, cues: number): number {
  const read = text.slice(0, 2_000);
  let bits = asks(text) ? TRAIT.asks : 0;
  if ((cues & CUE.time) !== 0) bits |= TRAIT.time;
  if ((cues & CUE.number) !== 0) bits |= TRAIT.number;
  if (REPLIES.test(read)) bits |= TRAIT.replies;
  return bits;
}

/** What a query wants of a memory. */
export interface Wants {
  when: boolean;
  number: boolean;
  /** How much it matters that a person said it, from 0 to 1. */
  person: number;
}

/** In distinct meaningful words: up to `SHORT` a query is a question, from `LONG` on a piece of work that goes on. */
const SHORT = 12;
const LONG = 24;

/**
 * Reads a query of this many distinct meaningful words. What it asks about a person, that person said. What the agent said is wanted when
 * the query asks for that; and a long message continues work whose best part may be an answer.
 */
export function wantsOf(text: string, words: number): Wants {
  const asks = (pattern: RegExp) => pattern.test(text);
  const ofAgent = asks(
    /\b(did|have|had) you\b|\byou (said|told|suggest|recommend|mention|g[ai]ve|provid|explain|list|advise|propos)|\byour? (recommend|suggest|advice|answer|explanation)/i,
  );
  return {
    when: asks(/\bwhen\b|\bhow long\b|\bwhat (date|day|month|year|time)\b/i),
    number: asks(/\bhow (many|much|often|old|long|far|tall|big|large)\b|\bwhat (age|number|amount|price)\b/i),
    person: ofAgent ? 0 : Math.min(1, Math.max(0, (LONG - words) / (LONG - SHORT))),
  };
}
