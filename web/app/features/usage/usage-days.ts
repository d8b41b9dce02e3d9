import { dayAfter } from '@atelier/contract/usage';

/** The periods to choose from, in days until today. */
export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

/** The first and the last day, and whose midnight begins them. */
export interface Days {
  from: string;
  to: string;
  timeZone: string;
}

/** The period that an address names; thirty days otherwise. */
export const readPeriod = (text: string | null): Period => PERIODS.find((days) => `${days}` === text) ?? 30;

/** The days of a period until `now`, in a time zone. */
export function daysOf(period: Period, now: Date, timeZone: string): Days {
  // The one locale that writes days as the server reads them.
  const to = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  return { from: dayAfter(to, 1 - period), to, timeZone };
}
