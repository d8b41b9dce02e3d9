import { Banner } from '../../ui/banner.tsx';
import { useBudgets } from './usage.api.ts';
import { budgetAmount } from './usage-words.ts';

/** For somebody who thinks of buying Pro: the budgets of this server bind it too. Nothing where there are none. */
export function BudgetNotice() {
  const { data } = useBudgets();
  if (data === undefined || data.budgets.length === 0) return null;
  const [own, shared] = (['account', 'server'] as const).map((scope) =>
    data.budgets
      .filter((budget) => budget.scope === scope)
      .map((budget) => `${budgetAmount(budget, data.currency)} a ${budget.period}`)
      .join(' and '),
  );
  return (
    <Banner>
      {own &&
        `Pro lifts the limits of the free plan, but this server’s budget applies to Pro too: ${own} for each account. `}
      {shared && `All accounts of this server share a budget of ${shared}, Pro included.`}
    </Banner>
  );
}
