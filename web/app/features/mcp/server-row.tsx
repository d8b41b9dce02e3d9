import type { McpServer } from '@atelier/contract/mcp';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusPassedOn, useFocusWhenClosed } from '../../ui/focus/use-focus.ts';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { AccessFields, onEnter, readAccess, useAccess } from './access-fields.tsx';
import { useChangeAccess, useMcpServerAction } from './mcp.api.ts';
import { SignInButton } from './sign-in-button.tsx';

const ContentsDialog = later(() => import('./contents/contents-dialog.tsx'));

/** One server: how it is, and what can be done about it. */
export function ServerRow({ server }: { server: McpServer }) {
  const remove = useMcpServerAction('remove');
  const approve = useMcpServerAction('approve');
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const removing = useRef<HTMLButtonElement>(null);
  // The pressed button disappears with the question.
  const approved = () => removing.current?.focus();
  const [changing, setChanging] = useState(false);
  const { opener, closing } = useFocusWhenClosed();
  const isSignedOut = server.state === 'signed_out';
  return (
    <li ref={row} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <div className="min-w-0 flex-1 basis-full sm:basis-40">
        <p className="font-semibold [overflow-wrap:anywhere]">
          <SeenName name={server.name} />
        </p>
        <p className="truncate font-mono text-muted text-xs">{server.url}</p>
        <ServerState server={server} />
      </div>
      {server.changes.length > 0 && <Changes server={server} />}
      {server.state === 'changed' && (
        <Button
          size="sm"
          loading={approve.isPending}
          onClick={() => approve.mutate(server, { onSuccess: approved, onError: toastError })}
        >
          Approve again
        </Button>
      )}
      {server.access !== 'headers' && isSignedOut && <SignInButton server={server} />}
      {!changing && (
        <Button ref={opener} size="sm" variant="ghost" onClick={() => setChanging(true)}>
          {server.access === 'headers' ? 'Change token' : isSignedOut ? 'Use a token' : 'Change access'}
        </Button>
      )}
      {server.state === 'approved' && <Browse server={server} />}
      <Button
        ref={removing}
        size="sm"
        variant="ghost"
        loading={remove.isPending}
        onClick={() => remove.mutate(server, { onError: toastError })}
      >
        Remove
      </Button>
      {changing && <ChangeAccess server={server} onDone={() => closing(() => setChanging(false))} />}
    </li>
  );
}

function Browse({ server: { id, name } }: { server: McpServer }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Browse ${name}`} onClick={() => setOpen(true)}>
        Browse
      </Button>
      <ContentsDialog open={open} onOpenChange={setOpen} servers={[{ id, key: id, name }]} />
    </>
  );
}

function ServerState({ server }: { server: McpServer }) {
  const count = server.tools.length;
  if (server.state === 'signed_out')
    return <p className="text-warning">It wants to know who you are, so it can’t be used yet.</p>;
  if (server.state === 'changed')
    return <p className="text-warning">Its tools have changed since you approved them, so they are off.</p>;
  return (
    <p className="text-muted">
      {count === 1 ? '1 tool' : `${count} tools`}
      {server.access === 'headers' && ', with your token'}
      {server.access === 'sign_in' && ', signed in'}
    </p>
  );
}

/** The changes that an approval would accept. */
function Changes({ server }: { server: McpServer }) {
  return (
    <div
      role="group"
      aria-label={`What changed in ${server.name}`}
      tabIndex={0}
      className="order-last max-h-56 w-full overflow-y-auto rounded bg-sunken p-2"
    >
      <dl className="flex flex-col gap-2">
        {server.changes.map(({ name, before, now, input }) => (
          <div key={name} className="[overflow-wrap:anywhere]">
            <dt className="font-mono text-xs">
              <SeenText text={name} />
            </dt>
            {before !== null && before !== now && (
              <dd className="text-muted">
                Before: <SeenText text={before || 'no description'} />
              </dd>
            )}
            {before !== now && (
              <dd>{now === null ? 'No longer offered.' : <SeenText text={`Now: ${now || 'no description'}`} />}</dd>
            )}
            {input !== null && (
              <dd>
                {before === null ? 'It takes' : 'Its input or annotations changed. Now'}:
                <pre className="whitespace-pre-wrap font-mono text-xs">
                  <SeenText text={input} />
                </pre>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Asks for another token for a server, or for a sign-in where the row offers none: a server may come to want one. */
function ChangeAccess({ server, onDone }: { server: McpServer; onDone: () => void }) {
  const { access, setAccess, isTyped } = useAccess();
  const [error, setError] = useState<string>();
  const change = useChangeAccess(server.id);
  useUnsavedArea(isTyped);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = () => {
    const headers = isTyped ? readAccess(access) : { error: 'Enter a token or a header.' };
    setError('error' in headers ? headers.error : undefined);
    if ('error' in headers || change.isPending) return;
    change.mutate(headers, {
      onSuccess: () => {
        toast.success(`“${server.name}” accepted it.`);
        onDone();
      },
      onError: (failure) => setError(errorText(failure)),
    });
  };
  const onKeyDown = onEnter(submit);
  return (
    <div role="group" aria-label={`Token for ${server.name}`} className="order-last flex w-full flex-col gap-3 pt-2">
      <AccessFields access={access} onChange={setAccess} onKeyDown={onKeyDown} error={error} first={first} />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" loading={change.isPending} onClick={submit}>
          Try and save
        </Button>
        {server.access !== 'headers' && server.state !== 'signed_out' && <SignInButton server={server} />}
        <Button size="sm" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
