import { useSyncExternalStore } from 'react';
import { typed } from '../../lib/typed/typed.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';

/** Says that what was typed waits in this browser since a sign-in ended, and deletes it if somebody else may come. */
export function KeptWords() {
  const waits = useSyncExternalStore(typed.subscribe, typed.hasWords, () => false);
  if (!waits) return null;
  const remove = () => {
    typed.forget();
    document.querySelector('input')?.focus();
    toast.success('Deleted from this browser.');
  };
  return (
    <Banner tone="info" className="mb-6">
      <p>
        What you typed and did not send or save is kept in this browser for 7 days. Log in to the same account to go on.
      </p>
      <Button size="sm" className="mt-2" onClick={remove}>
        Delete it now
      </Button>
    </Banner>
  );
}
