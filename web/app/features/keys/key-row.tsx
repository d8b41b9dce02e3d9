import type { ApiKey } from '@atelier/contract/keys';
import { toastError } from '../../lib/toast-error.ts';
import { useFocusPassedOn } from '../../ui/focus/use-focus-passed-on.ts';
import { dayOf, minuteOf } from '../../ui/formats.ts';
import { DangerButton } from '../../ui/overlay/danger-button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { type ChosenAgent, useRevokeKey } from './keys.api.ts';

/** What a key may do and with which agents, in words. */
function reachOf({ scopes, agentIds }: ApiKey, agents: ChosenAgent[] | undefined): string {
  const may = scopes.length === 2 ? 'May read and talk' : scopes.includes('read') ? 'May read' : 'May talk';
  if (agentIds === null) return `${may} · all agents`;
  if (agentIds.length === 0) return `${may} · no agent: its agents were deleted`;
  return `${may} · ${agentIds.map((id) => agents?.find((agent) => agent.id === id)?.name ?? id).join(', ')}`;
}

/** One key, with what it may do and its end. */
export function KeyRow({ apiKey, agents }: { apiKey: ApiKey; agents: ChosenAgent[] | undefined }) {
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
