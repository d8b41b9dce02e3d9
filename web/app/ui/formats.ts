// Dates are in the language of the page's own sentences, whatever the browser's is. `Intl` would write the same, but makes a phone read its
// list of languages first, which holds up a page by 15 to 50 ms.
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** As in British English: three letters, but four of September. */
const shortMonth = (month: number) => MONTHS[month]?.slice(0, month === 8 ? 4 : 3);
const twoDigits = (n: number) => String(n).padStart(2, '0');

/** The day of an instant in the person's time zone, such as 23 Nov 2026. */
export function dayOf(instant: string | Date): string {
  const date = new Date(instant);
  return `${date.getDate()} ${shortMonth(date.getMonth())} ${date.getFullYear()}`;
}

function timeOf(instant: string): string {
  const date = new Date(instant);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** The day and the minute of an instant, likewise. */
export const minuteOf = (instant: string) => `${dayOf(instant)}, ${timeOf(instant)}`;

/** The time of an instant of today, such as 14:05; the day of any other. */
export const shortTimeOf = (instant: string) =>
  dayOf(instant) === dayOf(new Date()) ? timeOf(instant) : dayOf(instant);

/** The day and the second of an instant, likewise. */
export const secondOf = (instant: string) => `${minuteOf(instant)}:${twoDigits(new Date(instant).getSeconds())}`;

/** The month of an instant, such as November 2026. */
export function monthOf(instant: string | Date): string {
  const date = new Date(instant);
  return `${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** A calendar day (YYYY-MM-DD), such as 23 Nov. */
export function formatDay(day: string): string {
  const date = new Date(day);
  return `${date.getUTCDate()} ${shortMonth(date.getUTCMonth())}`;
}

/** A number with its thousands apart. */
export const formatNumber = (n: number, options: Intl.NumberFormatOptions = {}) => n.toLocaleString('en', options);

/** An amount of money; small ones with as many digits as it takes. */
export const formatMoney = (amount: number, currency: string) =>
  formatNumber(amount, { style: 'currency', currency, ...(amount < 0.1 && { maximumSignificantDigits: 2 }) });

/** `820 B`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kb = bytes / 1024;
  return kb < 1024 ? `${Math.round(kb)} KB` : `${(kb / 1024).toFixed(1)} MB`;
}
