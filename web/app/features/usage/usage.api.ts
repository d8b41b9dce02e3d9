import { dayAfter, usageCalls } from '@atelier/contract/usage';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callQuery, keys } from '../../lib/query.ts';

/** The budgets that bind the account, and what is left of them. */
export const useBudgets = () => useQuery(callQuery(keys.budgets, usageCalls.budgets));

/** The person's tokens by day, agent and model; while other days are loading, those of before. */
export function useUsage({ from, to, timeZone }: Days) {
  const query = { from, to, timeZone };
  return useQuery({ ...callQuery(keys.usage(query), usageCalls.report, { query }), placeholderData: keepPreviousData });
}

/** The periods to choose from, in days until today. */
export const PERIODS = [7, 30, 90] as const;
type Period = (typeof PERIODS)[number];

/** The first and the last day, and whose midnight begins them. */
interface Days {
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
