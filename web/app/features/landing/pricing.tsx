import { FREE_LIMITS } from '@atelier/contract/accounts';
import { formatAmount, PRO_PRICE } from '@atelier/contract/billing';
import type { ReactNode } from 'react';
import { Check, Minus } from '../../ui/icons/lucide.ts';

const EXACT = formatAmount(PRO_PRICE.amount, PRO_PRICE.currency);

/** `true` and `false` mean "yes" and "no". */
const rows: { what: string; free: string | boolean; pro: string | boolean }[] = [
  { what: 'Agents', free: 'Unlimited', pro: 'Unlimited' },
  { what: 'Sessions', free: `${FREE_LIMITS.sessions}`, pro: 'Unlimited' },
  { what: 'Messages', free: `${FREE_LIMITS.messages}`, pro: 'Unlimited' },
  { what: 'Tasks', free: `${FREE_LIMITS.tasks}`, pro: 'Unlimited' },
  { what: 'Memory', free: 'Within a session', pro: 'Across all sessions' },
  { what: 'Browse, copy and favorite public agents', free: true, pro: true },
  { what: 'My Library', free: false, pro: true },
  { what: 'Memory page and semantic search', free: false, pro: true },
  { what: 'Tools', free: false, pro: true },
  { what: 'Files: 10 MB each, 1 GB in all', free: false, pro: true },
  { what: 'Publishing agents', free: false, pro: true },
];

/** Both plans side by side: limits as counts, and the price as shown and as charged. */
export function Pricing({ upgrade }: { upgrade: ReactNode }) {
  return (
    <>
      <div className="overflow-hidden rounded-lg border bg-surface">
        <table className="w-full table-fixed wrap-break-word text-left text-sm sm:text-base">
          <caption className="sr-only">What Free and Pro include</caption>
          <thead>
            <tr className="align-top">
              <th scope="col" className="w-[38%] p-2 sm:w-[40%] sm:p-6">
                <span className="sr-only">What you get</span>
              </th>
              <Plan name="Free" price="0 USD" note="for as long as you like" />
              <Plan name="Pro" price={`${PRO_PRICE.usd} USD`} note={`once, for a lifetime; charged as ${EXACT}`} />
            </tr>
          </thead>
          <tbody>
            {rows.map(({ what, free, pro }) => (
              <tr key={what} className="border-t">
                <th scope="row" className="px-2 py-2.5 font-normal sm:px-6">
                  {what}
                </th>
                <Cell value={free} />
                <Cell value={pro} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <p className="max-w-[72ch] text-muted text-sm">
          The price is shown in US dollars. The amount will be converted to South African rand (ZAR) for the payment
          provider: exactly {EXACT}, once. Messages, tasks and sessions of the free plan count in total, not by month.
        </p>
        {upgrade}
      </div>
    </>
  );
}

function Plan({ name, price, note }: { name: string; price: string; note: string }) {
  return (
    <th scope="col" className="border-l p-2 font-normal sm:p-6">
      <span className="block font-semibold text-lg sm:text-xl">{name}</span>
      <span className="mt-1 block whitespace-nowrap text-base tabular-nums sm:text-3xl">{price}</span>
      <span className="mt-1 block text-muted text-sm">{note}</span>
    </th>
  );
}

function Cell({ value }: { value: string | boolean }) {
  const Icon = value === true ? Check : Minus;
  return (
    <td className="border-l px-2 py-2.5 sm:px-6">
      {typeof value === 'string' ? (
        value
      ) : (
        <>
          <Icon className={value ? 'size-5 text-success' : 'size-5 text-muted'} />
          <span className="sr-only">{value ? 'yes' : 'no'}</span>
        </>
      )}
    </td>
  );
}
