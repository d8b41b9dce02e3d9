const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const minutes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The day of an instant, as the person's language and time zone write it. */
export const dayOf = (instant: string | Date) => days.format(new Date(instant));

/** The day and the minute of an instant, likewise. */
export const minuteOf = (instant: string | Date) => minutes.format(new Date(instant));
