import type { Agent } from '@atelier/contract/agents';
import type { ForkField, Upstream, UpstreamChange } from '@atelier/contract/forks';
import { shownToolName } from '@atelier/contract/tools';
import { useState } from 'react';
import { Link } from 'react-router';
import { publicAgentPath } from '../../lib/addresses.ts';
import { AGENT_LABELS, shownSetting } from '../../lib/agent-labels.ts';
import { errorText } from '../../lib/http.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { GitFork } from '../../ui/icons/lucide.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useTakeOver, useUpstream } from './forks.api.ts';

/** Whose copy an agent is, and whether the original changed since; nothing for an agent that is no copy. */
export function ForkNotice({ agent }: { agent: Agent }) {
  return agent.forkedFrom === null ? null : <Lineage agent={agent} origin={agent.forkedFrom} />;
}

function Lineage({ agent, origin }: { agent: Agent; origin: NonNullable<Agent['forkedFrom']> }) {
  const { data } = useUpstream(agent.id);
  const [open, setOpen] = useState(false);
  const off = origin.tools.filter((tool) => !agent.tools.includes(tool));
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded border bg-surface px-4 py-2 text-sm">
      <GitFork className="size-4 shrink-0 text-muted" />
      <p className="min-w-40 flex-1">
        Copy of{' '}
        {data && data.state !== 'gone' ? (
          <Link to={publicAgentPath(origin.creatorId, origin.agentId)} className="rounded underline underline-offset-2">
            <SeenName name={origin.name} />
          </Link>
        ) : (
          <>
            “<SeenName name={origin.name} />”
          </>
        )}
        {data?.creatorName && (
          <>
            {' '}
            by <SeenName name={data.creatorName} />
          </>
        )}
        {data?.state === 'gone' && ', which is no longer public'}.
        {data?.state === 'changed' && <strong className="block">The original changed.</strong>}
        {off.length > 0 && (
          <span className="block">
            The original uses <span className="font-mono">{off.map(shownToolName).join(', ')}</span>. Turn on what you
            trust under Tools.
          </span>
        )}
      </p>
      {data?.state === 'changed' && (
        <Button size="sm" onClick={() => setOpen(true)}>
          See the difference
        </Button>
      )}
      {data && <UpstreamDialog open={open} onOpenChange={setOpen} agentId={agent.id} upstream={data} />}
    </div>
  );
}

interface UpstreamDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  agentId: string;
  upstream: Upstream;
}

/** What the original's author changed, field by field, and the choice what of it to take over. */
function UpstreamDialog({ open, onOpenChange, agentId, upstream }: UpstreamDialogProps) {
  const [unwanted, setUnwanted] = useState<readonly ForkField[]>([]);
  const take = useTakeOver(agentId);
  const { changes, addsTools, seen } = upstream;
  const fields = changes.map((change) => change.field).filter((field) => !unwanted.includes(field));
  const takeOver = (chosen: ForkField[]) =>
    seen !== null &&
    take.mutate(
      { seen, fields: chosen },
      {
        onSuccess: () => {
          onOpenChange(false);
          toast.success(chosen.length > 0 ? 'Updated from the original.' : 'Your copy stays as it is.');
        },
      },
    );
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title="The original changed"
      description="Choose which changes your copy takes. The rest stays as it is and is not offered again."
      footer={
        <>
          <Button loading={take.isPending} onClick={() => takeOver([])}>
            Keep mine
          </Button>
          <Button
            variant="primary"
            loading={take.isPending}
            disabled={fields.length === 0}
            onClick={() => takeOver(fields)}
          >
            Take over
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {take.isError && <ErrorBanner>{errorText(take.error)}</ErrorBanner>}
        {upstream.state === 'gone' && <Banner tone="warning">The original is no longer public.</Banner>}
        {upstream.state === 'same' && <Banner tone="info">Your copy matches the original again.</Banner>}
        {addsTools.length > 0 && (
          <Banner tone="warning">
            The original now also uses <span className="font-mono">{addsTools.join(', ')}</span>. Your copy doesn’t
            until you turn that on, under Tools.
          </Banner>
        )}
        {changes.map((change) => (
          <Change
            key={change.field}
            change={change}
            taken={!unwanted.includes(change.field)}
            onChange={(taken) =>
              setUnwanted(taken ? unwanted.filter((field) => field !== change.field) : [...unwanted, change.field])
            }
          />
        ))}
      </div>
    </Dialog>
  );
}

function Change(props: { change: UpstreamChange; taken: boolean; onChange: (taken: boolean) => void }) {
  const { field, yours, theirs } = props.change;
  return (
    <section aria-label={AGENT_LABELS[field]} className="flex flex-col gap-2">
      <Checkbox label={AGENT_LABELS[field]} checked={props.taken} onChange={(e) => props.onChange(e.target.checked)} />
      <div className="grid gap-2 sm:grid-cols-2">
        <Side title="Yours" value={yours} />
        <Side title="The original" value={theirs} />
      </div>
    </section>
  );
}

function Side({ title, value }: { title: string; value: UpstreamChange['yours'] }) {
  return (
    <div className="rounded border bg-sunken px-3 py-2 text-sm">
      <p className="text-muted">{title}</p>
      <p dir="auto" className="max-h-48 overflow-y-auto whitespace-pre-wrap">
        <SeenText text={shownSetting(value)} />
      </p>
    </div>
  );
}
