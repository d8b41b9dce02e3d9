/** Dates and numbers are in the language of the page's own sentences, whatever the browser's is. */
const LANGUAGE = 'en-GB';

/** Made at its first use: each costs a phone a millisecond. */
const dates = (options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (instant: string | Date) => {
    format ??= new Intl.DateTimeFormat(LANGUAGE, options);
    return format.format(new Date(instant));
  };
};

/** The day of an instant in the person's time zone, such as 23 Nov 2026. */
export const dayOf = dates({ dateStyle: 'medium' });

/** The day and the minute of an instant, likewise. */
export const minuteOf = dates({ dateStyle: 'medium', timeStyle: 'short' });

const timeOf = dates({ timeStyle: 'short' });

/** The time of an instant of today, such as 14:05; the day of any other. */
export const shortTimeOf = (instant: string) =>
  dayOf(instant) === dayOf(new Date()) ? timeOf(instant) : dayOf(instant);

/** The day and the second of an instant, likewise. */
export const secondOf = dates({ dateStyle: 'medium', timeStyle: 'medium' });

/** The month of an instant, such as November 2026. */
export const monthOf = dates({ month: 'long', year: 'numeric' });

/** A calendar day (YYYY-MM-DD), such as 23 Nov. */
export const formatDay = dates({ timeZone: 'UTC', day: 'numeric', month: 'short' });

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
