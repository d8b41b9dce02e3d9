import type { NewApiKey } from '@atelier/contract/keys';
import { useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyRow } from './key-row.tsx';
import { type ChosenAgent, useApiKeys } from './keys.api.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { NewKeySecret } from './new-key-secret.tsx';

/** The person’s keys, and how to make another. */
export function OwnKeys({ agents }: { agents: ChosenAgent[] | undefined }) {
  const keys = useApiKeys();
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const close = () => {
    setOpen(false);
    setMade(null);
  };
  return (
    <div className="mt-4 flex flex-col gap-4">
      {keys.isPending && (
        <div role="status">
          <span className="sr-only">Loading your keys</span>
          <Skeleton className="h-16" />
        </div>
      )}
      {keys.isError && <Failure text={errorText(keys.error)} onRetry={() => void keys.refetch()} />}
      {keys.data && keys.data.length > 0 && (
        <ul aria-label="API keys" className="flex flex-col divide-y rounded border px-3">
          {keys.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} agents={agents} />
          ))}
        </ul>
      )}
      <Button className="self-start" onClick={() => setOpen(true)}>
        Create a key
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => (next ? setOpen(true) : close())}
        title={made === null ? 'Create an API key' : 'Your new key'}
        unsaved={made !== null}
      >
        {made === null ? (
          <NewKeyForm agents={agents ?? []} onMade={setMade} onCancel={close} />
        ) : (
          <NewKeySecret apiKey={made} onDone={close} />
        )}
      </Dialog>
    </div>
  );
}
