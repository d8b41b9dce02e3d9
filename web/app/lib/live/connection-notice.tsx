import { SENTENCES } from '@atelier/contract/errors';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { CloudOff } from '../../ui/icons/lucide.ts';
import { partsAwaited } from '../../ui/part.tsx';
import { connection, useConnection } from './connection.ts';

const TEXTS = { offline: SENTENCES.offlineNotice, unreachable: SENTENCES.unreachableNotice };

/** Says that the server can't be reached, for as long as that lasts. Screen readers need its empty place in the page. */
export function ConnectionNotice() {
  const state = useConnection();
  const awaited = partsAwaited.useValue() > 0;
  useEffect(() => {
    if (awaited) connection.suspect();
  }, [awaited]);
  return (
    <div role="status" className="shrink-0 print:hidden">
      {state !== 'up' && (
        <div className="flex items-center gap-3 border-b bg-raised px-4 py-1.5 text-sm sm:px-5">
          <CloudOff className="size-4 shrink-0 text-warning" />
          <p className="min-w-0 flex-1">
            {TEXTS[state]} {awaited && <strong>What you pressed opens then.</strong>}
          </p>
          <Button size="sm" className="shrink-0" onClick={connection.suspect}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
