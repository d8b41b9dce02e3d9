import { SENTENCES } from '@atelier/contract/errors';
import { useEffect } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { attempt } from '../../lib/typed/words.ts';
import { toast } from '../../ui/overlay/toast.tsx';

const KEY = 'seen-as-free';
// Where storage is refused, it is known as long as the page.
let seenAsFree: string | null = null;

const read = () => attempt(() => sessionStorage.getItem(KEY)) ?? seenAsFree;

function write(seen: string | null) {
  seenAsFree = seen;
  attempt(() => (seen === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, seen)));
}

/**
 * Says in every open tab, once, that the account has become Pro, no matter who found it, and when: by a payment, which leaves another
 * reference, or because somebody gave it.
 */
export function PaymentNews() {
  const { me } = useAuth();
  const uid = me?.user.uid;
  const isPro = me?.account.subscriptionStatus === 'pro';
  const now = `${uid} ${me?.account.lastReference ?? ''}`;
  useEffect(() => {
    if (uid === undefined) return;
    if (!isPro) return write(now);
    const before = read();
    if (before?.startsWith(`${uid} `) !== true) return;
    const sentence = before === now ? SENTENCES.proGiven : SENTENCES.paymentSucceeded;
    // A reload takes the sentence away before it was read: then it comes again, unless it was closed.
    toast.success(sentence, { onEnd: () => write(null) });
  }, [uid, isPro, now]);
  return null;
}
