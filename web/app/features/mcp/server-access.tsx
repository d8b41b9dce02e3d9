import type { McpServer } from '@atelier/contract/mcp';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { AccessFields, readAccess, useAccess } from './access-fields.tsx';
import { useChangeAccess } from './mcp.api.ts';

/** Asks for another token for a server. */
export function ChangeAccess({ server, onDone }: { server: McpServer; onDone: () => void }) {
  const { access, setAccess, isTyped } = useAccess();
  const [error, setError] = useState<string>();
  const change = useChangeAccess(server.id);
  useUnsavedArea(isTyped);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = () => {
    const known = isTyped ? readAccess(access) : { error: 'Enter a token or a header.' };
    setError('error' in known ? known.error : undefined);
    if ('error' in known || change.isPending) return;
    change.mutate(known, {
      onSuccess: () => {
        toast.success(`“${server.name}” accepted it.`);
        onDone();
      },
      onError: (failure) => setError(errorText(failure)),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    submit();
  };
  return (
    <div role="group" aria-label={`Token for ${server.name}`} className="order-last flex w-full flex-col gap-3 pt-2">
      <AccessFields access={access} onChange={setAccess} onKeyDown={onKeyDown} error={error} first={first} />
      <div className="flex gap-2">
        <Button size="sm" loading={change.isPending} onClick={submit}>
          Try and save
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
