import type { ApiKey, NewApiKey } from '@atelier/contract/keys';
import { type ReactNode, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useFocusPassedOn } from '../../ui/focus/use-focus.ts';
import { dayOf, minuteOf } from '../../ui/formats.ts';
import { DangerButton } from '../../ui/overlay/danger-button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type ChosenAgent, useApiKeys, useRevokeKey } from './keys.api.ts';
import { NewKeyForm } from './new-key-form.tsx';

interface ApiKeysProps {
  isPro: boolean;
  /** How to buy Pro. */
  upgrade: ReactNode;
  /** The person's agents, once they are loaded. */
  agents: ChosenAgent[] | undefined;
}

/** The section of the account page about API keys. */
export function ApiKeys({ isPro, upgrade, agents }: ApiKeysProps) {
  return (
    <Section title="API keys">
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
    </Section>
  );
}

function OwnKeys({ agents }: { agents: ChosenAgent[] | undefined }) {
  const keys = useApiKeys();
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const close = () => {
    setOpen(false);
    setMade(null);
  };
  return (
    <div className="mt-4 flex flex-col gap-4">
      {keys.isPending && <Loading label="Loading your keys" parts={['h-16']} />}
      <LoadFailure of={keys} />
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
  if (agentIds.length === 0) return `${may} · no agent: its agents were deleted`;
  return `${may} · ${agentIds.map((id) => agents?.find((agent) => agent.id === id)?.name ?? id).join(', ')}`;
}

function KeyRow({ apiKey, agents }: { apiKey: ApiKey; agents: ChosenAgent[] | undefined }) {
  const revoke = useRevokeKey();
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const confirm = () =>
    // `mutateAsync`, because a notice may take the row away before the request is answered.
    revoke.mutateAsync(apiKey.id).then(() => toast.success(`Key “${apiKey.name}” revoked.`), toastError);
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
      <DangerButton
        label={`Revoke ${apiKey.name}`}
        loading={revoke.isPending}
        title={`Revoke “${apiKey.name}”?`}
        body="Programs that use this key are refused at once. This can’t be undone."
        confirmLabel="Revoke key"
        onConfirm={confirm}
      >
        Revoke
      </DangerButton>
    </li>
  );
}

/** Shows a new key's secret, which nobody can show again. */
function NewKeySecret({ apiKey, onDone }: { apiKey: NewApiKey; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Banner tone="warning">
        <p>
          Copy this key now: it is shown only once. Anyone who has it can use your agents, so keep it like a password.
        </p>
      </Banner>
      <div className="flex items-center gap-2 rounded border bg-sunken py-2 pr-2 pl-3">
        <code aria-label={`Key ${apiKey.name}`} className="min-w-0 flex-1 break-all font-mono text-sm">
          {apiKey.secret}
        </code>
        <CopyButton text={apiKey.secret} label="Copy the key" />
      </div>
      <Button variant="primary" className="self-end" onClick={onDone}>
        I have copied it
      </Button>
    </div>
  );
}
