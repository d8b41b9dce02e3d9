import { type PaymentReport, paymentReport } from '@atelier/contract/billing';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { attempt } from '../../lib/typed/words.ts';
import { createListeners } from '../../ui/shared-value.ts';

const stored = z.object({ uid: z.string(), reference: z.string(), report: paymentReport, at: z.number() });
export type UnheardReport = z.infer<typeof stored>;

const KEY = 'payment-report';
/** By then the server has long asked the provider itself. */
const KEPT_MS = 60 * 60_000;
const listeners = createListeners();
// Where storage is refused, the report lasts as long as the page.
let current: UnheardReport | null = load();

function load(): UnheardReport | null {
  const report = attempt(() => stored.parse(JSON.parse(localStorage.getItem(KEY) ?? 'null')));
  return report !== undefined && Date.now() - report.at < KEPT_MS ? report : null;
}

function set(next: UnheardReport | null) {
  current = next;
  attempt(() => (next === null ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, JSON.stringify(next))));
  listeners.tell();
}

/** Keeps what the checkout form reported until the server has heard of it, so that no page offers the purchase again meanwhile. */
export const keepReport = (uid: string, reference: string, report: PaymentReport) =>
  set({ uid, reference, report, at: Date.now() });

/** The server knows it now. */
export const dropReport = (reference: string) => {
  if (current?.reference === reference) set(null);
};

/** This user's report that the server has not heard of yet. */
export function useUnheardReport(uid: string | undefined): UnheardReport | null {
  const report = useSyncExternalStore(
    listeners.subscribe,
    () => current,
    () => null,
  );
  return report !== null && report.uid === uid ? report : null;
}
