/** A moment, as mails write it. */
export const utc = (instant: string) =>
  `${new Date(instant).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
