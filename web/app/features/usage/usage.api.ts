import { usageCalls } from '@atelier/contract/usage';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';
import type { Days } from './usage-days.ts';

/** The budgets that bind the account, and what is left of them. */
export const useBudgets = () =>
  useQuery({ queryKey: keys.budgets, queryFn: ({ signal }) => call(usageCalls.budgets, { signal }) });

/** The person's tokens by day, agent and model; while other days are loading, those of before. */
export function useUsage({ from, to, timeZone }: Days) {
  const query = { from, to, timeZone };
  return useQuery({
    queryKey: keys.usage(query),
    queryFn: ({ signal }) => call(usageCalls.report, { query, signal }),
    placeholderData: keepPreviousData,
  });
}
