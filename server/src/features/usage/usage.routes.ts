import { usageCalls } from '@atelier/contract/usage';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { reportBudgets } from '../budgets/budgets.service.ts';
import { reportUsage } from './usage.service.ts';

export const usageRoutes = (deps: Deps) =>
  serve(usageCalls, {
    report: ({ caller, query }) => reportUsage(deps, caller, query),
    budgets: async ({ caller }) => ({
      currency: deps.models.currency,
      budgets: await reportBudgets(deps, caller.uid),
    }),
  });
