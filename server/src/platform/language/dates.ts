/** Days since 1970, in UTC. */
type Day = number;
/** A span of days, both ends included. */
export interface Span {
  from: Day;
  to: Day;
}

const DAY_MS = 86_400_000;
export const dayOf = (time: number): Day => Math.floor(time / DAY_MS);

export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
export const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
/** A word that tells when. */
export const TIME = new RegExp(
  `\\b(?:${[...MONTHS, ...WEEKDAYS].join('|')}|today|tomorrow|yesterday|tonight|noon|midnight|morning|evening|afternoon|night|spring|summer|autumn|winter|week|weekend|month|year|o'clock|half past|quarter|easter|christmas|\\d{1,2}[:.]\\d{2}|\\d{4}|at (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})|until|since)s?\\b`,
  'i',
);
const MONTH = `(${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
const NUMBER = 'one two three four five six seven eight nine ten'.split(' ');

const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b\\.?,?(?: (\\d{4}))?`, 'gi');
const MONTH_DAY = new RegExp(`\\b${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`, 'gi');
const MONTH_ONLY = new RegExp(
  `\\b(?:in|of|by|since|until|during|early|late|mid|last|this|next|for) ${MONTH}\\b,?(?: (\\d{4}))?`,
  'gi',
);
const MONTH_YEAR = new RegExp(`\\b${MONTH},? (\\d{4})\\b`, 'gi');

const ANY_MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const YEARS_MAX = 20;
const yearOf = (day: Day) => new Date(day * DAY_MS).getUTCFullYear();
const monthOf = (name: string) => MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
const dayAt = (year: number, month: number, day: number): Day => dayOf(Date.UTC(year, month, day));

/** A date in a text; the year and the day may be missing. */
export interface DateMention {
  year: number | undefined;
  month: number;
  day: number | undefined;
}

/** The dates in a text that name at least a month. */
export function datesNamed(text: string): DateMention[] {
  if (!ANY_MONTH.test(text)) return [];
  const named: DateMention[] = [];
  const add = (month: string, day?: string, year?: string) =>
    named.push({
      year: year === undefined ? undefined : Number(year),
      month: monthOf(month),
      day: day === undefined ? undefined : Number(day),
    });
  for (const [, day, month = '', year] of text.matchAll(DAY_MONTH)) add(month, day, year);
  for (const [, month = '', day, year] of text.matchAll(MONTH_DAY)) add(month, day, year);
  if (named.length > 0) return named;
  for (const [, month = '', year] of text.matchAll(MONTH_YEAR)) add(month, undefined, year);
  if (named.length > 0) return named;
  for (const [, month = '', year] of text.matchAll(MONTH_ONLY)) add(month, undefined, year);
  return named;
}

/** The days of a named date; without a year, one for each year of a span. */
export function spansOf({ year, month, day }: DateMention, within: Span): Span[] {
  const [first, last] =
    year === undefined
      ? [yearOf(within.from), Math.min(yearOf(within.to), yearOf(within.from) + YEARS_MAX)]
      : [year, year];
  const spans: Span[] = [];
  for (let y = first; y <= last; y += 1) {
    const from = dayAt(y, month, day ?? 1);
    spans.push({ from, to: day === undefined ? dayAt(y, month + 1, 0) : from });
  }
  return spans;
}

/** The one of them that ends nearest to a day. */
function nearestSpan(named: DateMention, near: Day): Span | undefined {
  const spans = spansOf(named, { from: near - 366, to: near + 366 });
  const distance = (span: Span) => Math.abs(span.to - near);
  return spans.toSorted((a, b) => distance(a) - distance(b))[0];
}

const AGO = new RegExp(
  `\\b(an?|few|couple of|\\d{1,2}|${NUMBER.join('|')}) (day|week|month|year)s? (ago|back)\\b`,
  'i',
);
const RELATIVE =
  /\b(last|this|next|past|previous|coming) (night|week|weekend|month|year|(?:sun|mon|tues|wednes|thurs|fri|satur)day)\b/i;
const PLAIN = /\b(yesterday|today|tonight|tomorrow|this morning|recently|just|the other day)\b/i;
const UNIT = { night: 1, day: 1, week: 7, weekend: 7, month: 30, year: 365 } as const;
const isUnit = (text: string): text is keyof typeof UNIT => Object.hasOwn(UNIT, text);

/** The days that a text mentions, when it was said on a given day. */
export function findSpan(text: string, spokenOn: Day): Span | undefined {
  const [first] = datesNamed(text);
  if (first !== undefined) return nearestSpan(first, spokenOn);
  const ago = AGO.exec(text);
  if (ago !== null) {
    const [, amount = '', unit = ''] = ago;
    const count = /^\d/.test(amount) ? Number(amount) : Math.max(1, NUMBER.indexOf(amount.toLowerCase()) + 1);
    return around(spokenOn - count * (isUnit(unit) ? UNIT[unit] : 1), isUnit(unit) ? UNIT[unit] : 1);
  }
  const relative = RELATIVE.exec(text);
  if (relative !== null)
    return spanOfRelative((relative[1] ?? '').toLowerCase(), (relative[2] ?? '').toLowerCase(), spokenOn);
  const plain = PLAIN.exec(text)?.[1]?.toLowerCase();
  if (plain === undefined) return undefined;
  const by = plain === 'yesterday' ? -1 : plain === 'tomorrow' ? 1 : 0;
  return { from: spokenOn + by - (plain === 'recently' || plain === 'the other day' ? 7 : 0), to: spokenOn + by };
}

function spanOfRelative(which: string, unit: string, spokenOn: Day): Span {
  const sign = which === 'next' || which === 'coming' ? 1 : which === 'this' ? 0 : -1;
  if (isUnit(unit))
    return unit === 'night'
      ? { from: spokenOn + sign, to: spokenOn + sign }
      : around(spokenOn + sign * UNIT[unit], UNIT[unit]);
  const weekday = WEEKDAYS.indexOf(unit);
  const today = (spokenOn + 4) % 7;
  const back = (today - weekday + 7) % 7 || 7;
  const day = sign < 0 ? spokenOn - back : spokenOn - back + 7;
  return { from: day, to: day };
}

/** About half a unit on both sides. */
const around = (day: Day, unit: number): Span => ({ from: day - Math.floor(unit / 2), to: day + Math.floor(unit / 2) });
