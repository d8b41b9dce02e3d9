import type { ApiKey, NewApiKey } from '@atelier/contract/programs/keys';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { dayOf, minuteOf } from '../../ui/dates.ts';
import { Failure } from '../../ui/failure.tsx';
import { useFocusPassedOn } from '../../ui/focus/use-focus-passed-on.ts';
import { AlertDialog } from '../../ui/overlay/alert-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type ChosenAgent, useApiKeys, useRevokeKey } from './keys.api.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { NewKeySecret } from './new-key-secret.tsx';

export interface ApiKeysProps {
  isPro: boolean;
  /** How to buy Pro. */
  upgrade: ReactNode;
  /** The person's agents, once they are loaded. */
  agents: ChosenAgent[] | undefined;
}

/** The section of the account page about API keys. */
export function ApiKeys({ isPro, upgrade, agents }: ApiKeysProps) {
  return (
    <section aria-labelledby="api-keys" className="rounded-lg border bg-raised p-6">
      <h2 id="api-keys" className="font-semibold text-xl">
        API keys
      </h2>
      <p className="mt-2 text-muted">
        With a key, your own programs can talk to your agents. Give each program a key of its own, so that you can
        revoke one without the others.
      </p>
      {isPro ? (
        <OwnKeys agents={agents} />
      ) : (
        <div className="mt-4 flex flex-col items-start gap-3">
          <p>API keys are only available to Pro users.</p>
          {upgrade}
        </div>
      )}
    </section>
  );
}

function OwnKeys({ agents }: Pick<ApiKeysProps, 'agents'>) {
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

/** What a key may do and with which agents, in words. */
function reachOf({ scopes, agentIds }: ApiKey, agents: ChosenAgent[] | undefined): string {
  const may = scopes.length === 2 ? 'May read and talk' : scopes.includes('read') ? 'May read' : 'May talk';
  if (agentIds === null) return `${may} · all agents`;
  if (agentIds.length === 0) return `${may} · no agent: those it was for are deleted`;
  return `${may} · ${agentIds.map((id) => agents?.find((agent) => agent.id === id)?.name ?? id).join(', ')}`;
}

function KeyRow({ apiKey, agents }: { apiKey: ApiKey; agents: ChosenAgent[] | undefined }) {
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeKey();
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const confirm = () =>
    // `mutateAsync`, because a notice may take the row away before the request is answered.
    revoke.mutateAsync(apiKey.id).then(
      () => toast.success(`Key “${apiKey.name}” revoked.`),
      (error: unknown) => toast.error(errorText(error)),
    );
  return (
    <li ref={row} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-full sm:basis-40">
        <p className="[overflow-wrap:anywhere]">
          <span className="font-semibold">{apiKey.name}</span>{' '}
          <span className="font-mono text-muted text-xs">…{apiKey.hint}</span>
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">{reachOf(apiKey, agents)}</p>
        <p className="text-muted">
          Created {dayOf(apiKey.createdAt)} ·{' '}
          {apiKey.lastUsedAt === null ? 'never used' : `last used ${minuteOf(apiKey.lastUsedAt)}`}
        </p>
      </div>
      <Button
        size="sm"
        variant="ghost"
        className="text-danger"
        aria-label={`Revoke ${apiKey.name}`}
        loading={revoke.isPending}
        onClick={() => setAsking(true)}
      >
        Revoke
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Revoke “${apiKey.name}”?`}
        body="Programs that use this key are refused at once. This can’t be undone."
        confirmLabel="Revoke key"
        danger
        onConfirm={confirm}
      />
    </li>
  );
}
