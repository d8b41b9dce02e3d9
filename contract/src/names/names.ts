import { z } from 'zod';
import { tooLong } from './plain-text.ts';
import { withoutUnseen } from './unseen.ts';

/**
 * Marks in a row: 8 of a script's own, which Tibetan stacks and Hebrew with accents come near, and 4 of those that fit any letter, as Unicode
 * advises (UTS #39). A joiner counts as one of them, so that none restarts the count.
 */
const MARKS = /([\p{M}\u200C\u200D]{8})[\p{M}\u200C\u200D]+/gu;
const COMMON_MARKS = /((?:(?=\p{M})\p{Script=Inherited}){4})(?:(?=\p{M})\p{Script=Inherited})+/gu;
const INK = /(?!\uFFFD)[\p{L}\p{N}\p{P}\p{S}]/u;

function clean(text: string): string {
  const bounded = withoutUnseen(text).replaceAll(MARKS, '$1').replaceAll(COMMON_MARKS, '$1');
  // A mark at the beginning would be drawn over what stands before the name.
  const begun = bounded.replace(/^[\s\p{M}\u200C\u200D]+/u, '');
  // A joiner may have lost its neighbour.
  const shown = withoutUnseen(begun).trimEnd();
  return INK.test(shown) ? shown : '';
}

/**
 * A name as it is stored: trimmed, on one line, without what nobody sees, with a bounded number of marks on a letter. Joiners and variants that
 * scripts and emoji need stay. Empty when nothing visible is left.
 */
export const cleanName = (text: string): string => clean(text.replaceAll(/[\t-\r\u0085\u2028\u2029]+/gu, ' '));

/** The same for a short text that may have several lines. */
export const cleanLines = (text: string): string =>
  clean(text.replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/gu, '\n').replaceAll('\t', ' '));

/** A name that can't be refused, because it comes from elsewhere or was cut: clean and at most `max` units, or the other name. */
export const fitName = (text: string, max: number, other: string): string =>
  cleanName(cleanName(text).slice(0, max).toWellFormed()) || other;

/** Cleans a text as a name, and refuses one that is empty or of which nobody would see anything. */
export const visibleText = (text: z.ZodString, what: string, missing: string) =>
  text
    .refine((typed) => typed.trim() === '' || cleanName(typed) !== '', {
      error: `${what} needs at least one visible character.`,
      abort: true,
    })
    .overwrite(cleanName)
    .min(1, missing);

/** The schema of every name: clean, 1 to `max` characters. `missing` is the sentence for an empty one. */
export const nameText = (max: number, what: string, missing: string) =>
  visibleText(z.string(`${what} must be text.`), what, missing).max(max, tooLong(max, what));

/** The schema of a short text beside a name, which may be empty or have several lines. */
export const shortText = (max: number, what: string) =>
  z.string(`${what} must be text.`).overwrite(cleanLines).max(max, tooLong(max, what));
