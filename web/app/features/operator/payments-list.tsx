import { formatAmount, type PaymentState } from '@atelier/contract/billing';
import type { BookedPayment } from '@atelier/contract/operator/payments';
import { minuteOf, secondOf } from '../../ui/formats.ts';
import { useFilters } from '../../ui/list/use-filters.ts';
import { ActDialog } from './act-dialog.tsx';
import { useAskProvider, usePayments } from './admin.api.ts';
import { AllAccounts, Entry, EntryActs, EntryLink, EntryList } from './admin-list.tsx';

/** Words for states of payments and for the entries of their history, which another feature has. */
export interface PaymentWords {
  state: Record<PaymentState, string>;
  entry: ReadonlyMap<string, string>;
}

/** The ledger of all payments, refunds and disputes first. */
export function PaymentsList({ words }: { words: PaymentWords }) {
  const { filters, change } = useFilters(['account']);
  const payments = usePayments(filters.account === '' ? {} : { account: filters.account });
  return (
    <>
      <p className="text-muted">Payments with a refund or a dispute are first. Money is given back at the provider.</p>
      <AllAccounts account={filters.account} onChoose={() => change({ account: '' })} />
      <EntryList
        list={payments}
        rowsOf={(page) => page.payments}
        loading="Loading the payments"
        empty="There are no payments."
        label="Payments"
      >
        {(payment) => <Payment key={payment.reference} payment={payment} words={words} />}
      </EntryList>
    </>
  );
}

const REFUND = new Set<PaymentState>(['refund_due', 'refused']);

function Payment({ payment, words }: { payment: BookedPayment; words: PaymentWords }) {
  const { reference, account, state, mode, provider, amount, currency, createdAt, events } = payment;
  const wordOf = (entry: string) =>
    words.entry.get(entry) ?? (Object.hasOwn(words.state, entry) ? words.state[entry as PaymentState] : entry);
  return (
    <Entry>
      <p>
        <span className="font-mono">{formatAmount(amount, currency)}</span> · {wordOf(state)}
        {REFUND.has(state) && <span className="text-danger"> · A refund is due</span>}
      </p>
      <EntryLink to={`/admin/people/${account.id}`}>{account.email ?? account.id}</EntryLink>
      <p className="text-muted text-sm">
        <span className="font-mono">{reference}</span>, {provider}
        {mode !== 'live' && ` (${mode}: no money moved)`}, {minuteOf(createdAt)}
      </p>
      <ol aria-label={`History of ${reference}`} className="mt-2 flex flex-col text-sm">
        {events.map(({ at, entry, source, note }) => (
          <li key={`${at} ${entry} ${note}`}>
            <time dateTime={at} className="text-muted">
              {secondOf(at)}
            </time>{' '}
            {wordOf(entry)} <span className="text-muted">({note === null ? source : `${source}: ${note}`})</span>
          </li>
        ))}
      </ol>
      {payment.mayAsk && <Ask reference={reference} />}
    </Entry>
  );
}

function Ask({ reference }: { reference: string }) {
  const { mutateAsync } = useAskProvider(reference);
  return (
    <EntryActs>
      <ActDialog
        label="Ask the provider again"
        title="Ask the provider again?"
        needsReason={false}
        act={mutateAsync}
        done="The provider has answered."
      >
        <p>What it says is recorded. If the payment arrived, the account becomes Pro.</p>
      </ActDialog>
    </EntryActs>
  );
}
