import { useSyncExternalStore } from 'react';
import { tellSignInChange } from '../../lib/auth/sign-in-channel.ts';
import { typed } from '../../lib/typed/typed.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { LinkedSentence } from '../../ui/page/linked-sentence.tsx';

/** Says that a sign-in ended by itself, and that what was typed waits in this browser: to be deleted, if somebody else may come. */
export function SignInEnded({ sentence }: { sentence: string | null }) {
  const waits = useSyncExternalStore(typed.subscribe, typed.hasWords, () => false);
  if (sentence === null && !waits) return null;
  const remove = () => {
    typed.forget();
    tellSignInChange('left');
    document.querySelector('input')?.focus();
    toast.success('Deleted from this browser.');
  };
  return (
    <Banner
      tone={sentence === null ? 'info' : 'warning'}
      role="status"
      className={waits ? 'mb-6' : 'mb-6 group-has-[[role=alert]]:hidden'}
    >
      {/* An error below the form is newer, and often says the same. */}
      {sentence !== null && (
        <p className="group-has-[[role=alert]]:hidden">
          <LinkedSentence>{sentence}</LinkedSentence>
        </p>
      )}
      {waits && (
        <>
          <p>
            <LinkedSentence>
              What you typed is kept in this browser for 7 days. Log in to the same account to go on.
            </LinkedSentence>
          </p>
          <Button size="sm" className="mt-2" onClick={remove}>
            Delete it
          </Button>
        </>
      )}
    </Banner>
  );
}
