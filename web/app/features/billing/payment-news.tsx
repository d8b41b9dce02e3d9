import { SENTENCES } from '@atelier/contract/errors';
import { useEffect } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { attempt } from '../../lib/typed/words.ts';
import { toast } from '../../ui/overlay/toast.tsx';

const KEY = 'seen-as-free';
// Where storage is refused, it is known as long as the page.
let seenAsFree: string | null = null;

const read = () => attempt(() => sessionStorage.getItem(KEY)) ?? seenAsFree;

function write(uid: string | null) {
  seenAsFree = uid;
  attempt(() => (uid === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, uid)));
}

/** Says in every open tab, once, that a payment made the account Pro, no matter who found it, and when. */
export function PaymentNews() {
  const { me } = useAuth();
  const uid = me?.user.uid;
  const isPro = me?.account.subscriptionStatus === 'pro';
  useEffect(() => {
    if (uid === undefined) return;
    if (!isPro) return write(uid);
    if (read() !== uid) return;
    // A reload takes the sentence away before it was read: then it comes again, unless it was closed.
    toast.success(SENTENCES.paymentSucceeded, { onEnd: () => write(null) });
  }, [uid, isPro]);
  return null;
}
