// Dates are in the language of the page's own sentences, whatever the browser's is. `Intl` would write the same, but makes a phone read its
// list of languages first, which holds up a page by 15 to 50 ms.
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** As in British English: three letters, but four of September. */
const shortMonth = (month: number) => MONTHS[month]?.slice(0, month === 8 ? 4 : 3);
const twoDigits = (n: number) => String(n).padStart(2, '0');

/** A function that writes an instant, and a dash for one that isn't valid. */
const dateFormat =
  (write: (date: Date) => string) =>
  (instant: string | Date): string => {
    const date = new Date(instant);
    return Number.isNaN(date.getTime()) ? '—' : write(date);
  };
const timeOf = (date: Date) => `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;

/** The day of an instant in the person's time zone, such as 23 Nov 2026. */
export const dayOf = dateFormat((date) => `${date.getDate()} ${shortMonth(date.getMonth())} ${date.getFullYear()}`);

/** The day and the minute of an instant, likewise. */
export const minuteOf = dateFormat((date) => `${dayOf(date)}, ${timeOf(date)}`);

/** The time of an instant of today, such as 14:05; the day of any other. */
export const shortTimeOf = dateFormat((date) => (dayOf(date) === dayOf(new Date()) ? timeOf(date) : dayOf(date)));

/** The day and the second of an instant, likewise. */
export const secondOf = dateFormat((date) => `${minuteOf(date)}:${twoDigits(date.getSeconds())}`);

/** The month of an instant, such as November 2026. */
export const monthOf = dateFormat((date) => `${MONTHS[date.getMonth()]} ${date.getFullYear()}`);

/** A calendar day (YYYY-MM-DD), such as 23 Nov. */
export const formatDay = dateFormat((date) => `${date.getUTCDate()} ${shortMonth(date.getUTCMonth())}`);

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
