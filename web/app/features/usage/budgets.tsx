import type { BudgetState, BudgetsAnswer } from '@atelier/contract/usage';
import { Banner } from '../../ui/banner.tsx';
import { formatNumber, minuteOf } from '../../ui/formats.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useBudgets } from './usage.api.ts';
import { budgetAmount } from './usage-words.ts';

/** The account's budgets as bars: what is left, and when they open again. Nothing where there are none. */
export function BudgetBars({ currency, budgets }: BudgetsAnswer) {
  const own = budgets.flatMap(({ use, ...budget }) => (use === null ? [] : [{ ...budget, use }]));
  if (own.length === 0) return null;
  return (
    <section aria-labelledby="usage-budgets" className="flex flex-col gap-3">
      <h2 id="usage-budgets" className="font-semibold text-xl">
        Your budget
      </h2>
      <ul className="flex flex-col gap-3">
        {own.map((budget) => (
          <BudgetBar key={`${budget.period} ${budget.unit}`} budget={budget} currency={currency} />
        ))}
      </ul>
    </section>
  );
}

interface OwnBudget extends BudgetState {
  use: NonNullable<BudgetState['use']>;
}

function BudgetBar({ budget, currency }: { budget: OwnBudget; currency: string }) {
  const { use, most, opensAt, period, unit } = budget;
  const sum = Math.min(use.used + use.reserved, most);
  const amount = (of: number) =>
    unit === 'tokens' ? formatNumber(of) : budgetAmount({ ...budget, most: of }, currency);
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-raised px-4 py-3">
      <p>
        <span className="font-semibold tabular-nums">{amount(most - sum)}</span> left of{' '}
        {budgetAmount(budget, currency)} a {period}
      </p>
      <ProgressBar
        label={`Budget of a ${period} in ${unit === 'tokens' ? 'tokens' : currency} used`}
        share={sum / most}
      />
      <p className="text-muted text-sm">
        {use.reserved > 0 && `Answers under way have reserved ${amount(use.reserved)}. `}
        The next {period} begins on <time dateTime={opensAt}>{minuteOf(opensAt)}</time>.
      </p>
    </li>
  );
}

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
