import { useState } from 'react';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { toastError } from '../../../lib/toast-error.ts';
import { Button } from '../../../ui/button.tsx';
import { dayOf } from '../../../ui/formats.ts';
import { toast } from '../../../ui/overlay/toast.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { WayChoice } from './way-choice.tsx';
import { useKeepWays, useWays } from './ways-in.api.ts';

const NONE: ReadonlySet<string> = new Set();

/** What a reset has suspended, to be kept by its owner; nothing where there is none. */
export function SuspendedWays() {
  const ways = useWays();
  const keep = useKeepWays();
  const [ticked, setTicked] = useState(NONE);
  if (ways.isLoadingError) {
    // Whether any is suspended is not known.
    return (
      <Section title="Ways to sign in">
        <LoadFailure of={ways} className="mt-4" />
      </Section>
    );
  }
  const suspended = ways.data?.suspended ?? [];
  const chosen = suspended.filter(({ id }) => ticked.has(id)).map(({ id }) => id);
  const first = suspended.map(({ deletedAt }) => deletedAt).toSorted()[0];
  if (first === undefined) return null;
  // `mutateAsync`, because the last ones take the section away.
  const tellKept = () => {
    setTicked(NONE);
    toast.success(chosen.length === 1 ? 'It works again.' : 'They work again.');
  };
  return (
    <Section title="Suspended">
      <p className="mt-2 mb-4">
        These don’t work until you keep them. Somebody else may have added them before you proved that this account is
        yours. What you don’t keep is deleted, from {dayOf(first)} on.
      </p>
      <WayChoice legend="Choose what is yours" ways={suspended} ticked={ticked} onChange={setTicked} />
      <Button
        className="mt-4"
        disabled={chosen.length === 0}
        loading={keep.isPending}
        onClick={() => void keep.mutateAsync(chosen).then(tellKept, toastError)}
      >
        Keep what is chosen
      </Button>
    </Section>
  );
}
