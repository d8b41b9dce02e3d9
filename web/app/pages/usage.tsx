import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { BudgetBars } from '../features/usage/budgets.tsx';
import { daysOf, PERIODS, readPeriod, useBudgets, useUsage } from '../features/usage/usage.api.ts';
import { UsageReport } from '../features/usage/usage-report.tsx';
import { LoadFailure } from '../lib/load-failure.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { outdatedClass } from '../ui/list/list-skeleton.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Usage');

/** /usage: how many tokens one's answers took, and what they cost where prices are known. */
export default function UsagePage() {
  return (
    <AccountPage title="Usage">
      <Usage />
    </AccountPage>
  );
}

function Usage() {
  const [search, setSearch] = useSearchParams();
  const period = readPeriod(search.get('days'));
  const [now] = useState(() => new Date());
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const usage = useUsage(daysOf(period, now, timeZone));
  const budgets = useBudgets();
  const isPending = usage.isPending || budgets.isPending;
  const id = useId();
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <label htmlFor={id} className="font-semibold text-sm">
          Period
        </label>
        <Select
          id={id}
          className="w-auto"
          value={`${period}`}
          options={PERIODS.map((days) => ({ value: `${days}`, label: `Last ${days} days` }))}
          onChange={(event) => setSearch({ days: event.target.value }, { replace: true })}
        />
      </div>
      {isPending ? <Waiting /> : <LoadFailure of={[budgets, usage]} />}
      {!isPending && budgets.data && <BudgetBars {...budgets.data} />}
      {!isPending && usage.data && (
        <div
          className={classes('flex flex-col gap-6', usage.isPlaceholderData && outdatedClass)}
          aria-busy={usage.isPlaceholderData}
        >
          {usage.data.rows.length === 0 ? <NothingUsed /> : <UsageReport report={usage.data} />}
        </div>
      )}
    </>
  );
}

function NothingUsed() {
  return (
    <EmptyState title="No answers in these days." action={<ButtonLink to="/runtime">Talk with an agent</ButtonLink>} />
  );
}

function Waiting() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading your usage</span>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {['answers', 'read', 'written', 'cost'].map((key) => (
          <Skeleton key={key} className="h-20" />
        ))}
      </div>
      <Skeleton className="h-56" />
      <Skeleton className="h-40" />
    </div>
  );
}
