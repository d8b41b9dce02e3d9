import { SENTENCES } from '@atelier/contract/errors';
import { toast } from '../ui/overlay/toast.tsx';
import { errorText } from './http.ts';

/** What Pro lifts. */
const LIMITS = new Set<string>([SENTENCES.sessionLimit, SENTENCES.messageLimit, SENTENCES.taskLimit]);

/** The last notice of a limit: said again, it takes the place of that one. */
let limitNotice: number | undefined;

/** Warns that a limit of the free plan is reached, with the way to upgrade. */
export function toastLimit(sentence: string): void {
  if (limitNotice !== undefined) toast.dismiss(limitNotice);
  limitNotice = toast.warning(sentence, { link: { label: 'Upgrade to Pro', to: '/billing' } });
}

/** Tells in a passing notice that something failed; where a limit of the free plan is why, that. */
export function toastFailure(error: unknown, sentence: string): void {
  const why = errorText(error);
  if (LIMITS.has(why)) toastLimit(why);
  else toast.error(sentence);
}

/** Tells in a passing notice why something failed. */
export const toastError = (error: unknown): void => toastFailure(error, errorText(error));
