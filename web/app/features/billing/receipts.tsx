import { secondOf } from '../../ui/formats.ts';
import './receipts.css';
import { formatAmount, PAYMENT_STATES, type Payment } from '@atelier/contract/billing';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { useRef } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Printer } from '../../ui/icons/lucide.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useBilling } from './billing.api.ts';
import { PAYMENT_ENTRIES } from './payment-words.ts';

/** One's own payments, newest first, each ready to print. */
export function Receipts() {
  const query = useBilling();
  const { data, isPending } = query;
  const pro = useAuth().me?.account.subscriptionStatus === 'pro';
  return (
    <section aria-labelledby="payments" className="flex flex-col gap-3">
      <h2 id="payments" className="font-semibold text-xl">
        Payments
      </h2>
      {isPending && <Skeleton className="h-44 w-full" />}
      <LoadFailure of={query} />
      {data?.payments.length === 0 && (
        <p className="text-muted">
          {pro
            ? 'Your Pro was given to you, so there are no payments.'
            : 'No payments yet. A receipt appears here once you pay.'}
        </p>
      )}
      {data?.payments.map((payment) => (
        <Receipt key={payment.reference} payment={payment} />
      ))}
    </section>
  );
}

function Receipt({ payment }: { payment: Payment }) {
  const { user } = useAuth();
  const article = useRef<HTMLElement>(null);
  const { reference, state, mode, amount, currency, createdAt, paidAt } = payment;
  const title = paidAt === null ? 'Payment' : 'Receipt';

  function print() {
    article.current?.setAttribute('data-printing', '');
    addEventListener('afterprint', () => article.current?.removeAttribute('data-printing'), { once: true });
    window.print();
  }

  return (
    <article ref={article} aria-label={`${title} ${reference}`} className="rounded-lg border bg-raised p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h3 className="font-semibold">
            {PRODUCT_NAME} Pro, for a lifetime ·{' '}
            {payment.confirming === null ? PAYMENT_STATES[state] : 'Being confirmed'}
          </h3>
          <p className="text-muted">{secondOf(paidAt ?? createdAt)}</p>
        </div>
        <p className="font-mono text-lg">{formatAmount(amount, currency)}</p>
      </div>
      {mode !== 'live' && (
        <p className="mt-2 text-warning">{mode === 'sandbox' ? 'Sandbox' : 'Test'}: no money moved.</p>
      )}
      <dl className="mt-3 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-muted">Reference</dt>
        <dd className="font-mono">{reference}</dd>
        <dt className="text-muted">Account</dt>
        <dd>
          {user && <SeenName name={user.displayName} />} ({user?.email})
        </dd>
        <History payment={payment} />
      </dl>
      <Button size="sm" className="mt-4" data-not-printed="" onClick={print}>
        <Printer className="size-4" />
        Print
      </Button>
    </article>
  );
}

/** What happened, unless that is only what the heading says. */
function History({ payment }: { payment: Payment }) {
  const entries = payment.events.filter(({ entry }) => PAYMENT_ENTRIES.has(entry));
  if (entries.length < 2) return null;
  return (
    <>
      <dt className="text-muted">History</dt>
      <dd>
        <ol>
          {entries.map(({ at, entry }) => (
            <li key={`${at} ${entry}`}>
              <time dateTime={at}>{secondOf(at)}</time>: {PAYMENT_ENTRIES.get(entry)}
            </li>
          ))}
        </ol>
      </dd>
    </>
  );
}
