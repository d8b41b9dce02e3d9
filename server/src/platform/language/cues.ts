import { MONTHS, WEEKDAYS } from './dates.ts';

/**
 * What a word suggests about its text, one bit each. `time` and `number` follow from the word alone. For the others the word may be part of
 * a phrase; a text without such a word need not be searched for it.
 */
export const CUE = { time: 1, number: 2, earlier: 4, change: 8, slot: 16 } as const;

const LISTS: Record<keyof typeof CUE, string> = {
  time: `yesterday today tonight tomorrow recently ago since last next week weekend month year ${[...MONTHS, ...WEEKDAYS].join(' ')}`,
  number: `two three four five six seven eight nine ten eleven twelve dozen hundred thousand once twice couple few half every first second third`,
  earlier: `ago back last this next past previous coming yesterday today tonight tomorrow morning recently just other`,
  change: `now these instead longer any anymore actually meanwhile again changed moved postponed rescheduled delayed brought switched raised
    lowered increased reduced cut went new replaced renamed correct corrected stopped quit quitted gave given rid sold left cancelled
    canceled called lost broke ended finished`,
  slot: `live lives living lived reside resides based moved relocated settled work works working job single dating married engaged divorced
    separated widowed vegetarian vegan pescatarian flexitarian omnivore meat started`,
};
const BITS = new Map<string, number>();
for (const [kind, bit] of Object.entries(CUE)) {
  const list = Object.entries(LISTS).find(([name]) => name === kind)?.[1] ?? '';
  for (const word of list.split(/\s+/)) BITS.set(word, (BITS.get(word) ?? 0) | bit);
}
const YEAR_OR_DAY = /^(?:\d{4}|\d{1,2}(?:st|nd|rd|th))$/;
const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;

/** The bits of a lowercase word. */
export function cuesOf(word: string): number {
  const listed = BITS.get(word) ?? 0;
  const month = MONTH.test(word) ? CUE.earlier : 0;
  if (!/\d/.test(word)) return listed | month;
  return listed | CUE.number | (YEAR_OR_DAY.test(word) ? CUE.time : 0);
}
