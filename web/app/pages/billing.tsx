import { Link } from 'react-router';
import { useBilling } from '../features/billing/billing.api.ts';
import { PlanCard } from '../features/billing/plan-card.tsx';
import { Receipts } from '../features/billing/receipts.tsx';
import { BudgetNotice } from '../features/usage/budgets.tsx';
import { useBudgets } from '../features/usage/usage.api.ts';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { ArrowLeft } from '../ui/icons/lucide.ts';
import { Loading } from '../ui/skeleton.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Billing & Plans');

export default function BillingPage() {
  return (
    <AccountPage title="Billing & Plans">
      <Link
        to="/runtime"
        className="inline-flex items-center gap-2 self-start rounded underline-offset-4 hover:underline touch:min-h-11"
      >
        <ArrowLeft className="size-4" />
        Back to the runtime
      </Link>
      <Plan />
    </AccountPage>
  );
}

/** The plan and the payments. Who may buy sees them once the budgets are known, whose notice would push down what is below it. */
function Plan() {
  const { me } = useAuth();
  const budgets = useBudgets();
  // Asked for at the same time.
  useBilling();
  if (budgets.isLoading && budgets.failureCount === 0 && me?.account.subscriptionStatus !== 'pro')
    return <Loading label="Loading your plan" className="flex flex-col gap-6" parts={['h-96', 'h-24']} />;
  return (
    <>
      <PlanCard notice={<BudgetNotice />} />
      <Receipts />
    </>
  );
}
