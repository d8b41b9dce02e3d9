import { isRecord } from '../../../platform/parsed-json.ts';

/** The longest tool answer that is stored and sent to the model, in characters of JSON. */
export const VALUE_MAX = 16_000;
/** A shorter answer would say nothing useful. */
const VALUE_MIN = 200;
const NOTE_ROOM = 100;
const NO_ROOM = '[cut: no room is left for what this tool answered]';

const jsonLength = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
/** A value as the model reads it. */
export const writtenOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
const lengthOf = (value: unknown): number => writtenOf(value).length;
const counted = (n: number) => n.toLocaleString('en-US');

/** The value in at most `max` characters of JSON, with a note when it was cut; lists and texts keep their beginning. */
export function readable(value: unknown, max: number = VALUE_MAX): unknown {
  if (lengthOf(value) <= max) return value;
  if (max < VALUE_MIN) return NO_ROOM;
  const shorter = isRecord(value) ? shortenLargest(value, max) : value;
  if (lengthOf(shorter) <= max) return shorter;
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), max);
}

const cutText = (text: string, max: number) =>
  `${text.slice(0, Math.max(0, max - NOTE_ROOM)).toWellFormed()}…\n[cut: ${counted(text.length)} characters in all]`;

/** Keeps an answer's structure and shortens only its longest list or text. */
function shortenLargest(value: Record<string, unknown>, max: number): Record<string, unknown> {
  const [key, largest] = Object.entries(value).reduce((a, b) => (jsonLength(b[1]) > jsonLength(a[1]) ? b : a));
  const room = max - (jsonLength(value) - jsonLength(largest));
  if (typeof largest === 'string') {
    // Quotes and line breaks take two characters each in JSON.
    const escaping = jsonLength(largest) / Math.max(1, largest.length);
    return { ...value, [key]: cutText(largest, Math.floor(room / escaping)) };
  }
  if (!Array.isArray(largest)) return value;
  let used = 0;
  const shown = largest.filter((item) => (used += jsonLength(item) + 1) <= room - NOTE_ROOM);
  return { ...value, [key]: shown, cut: `${counted(shown.length)} of ${counted(largest.length)} are shown` };
}
