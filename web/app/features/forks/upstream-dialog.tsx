import type { ForkField, Upstream, UpstreamChange } from '@atelier/contract/forks';
import { useState } from 'react';
import { AGENT_LABELS, shownSetting } from '../../lib/agent-labels.ts';
import { errorText } from '../../lib/http.ts';
import { SeenText } from '../../lib/names/seen-text.tsx';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useTakeOver } from './forks.api.ts';

export interface UpstreamDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  agentId: string;
  upstream: Upstream;
}

/** What the original's author changed, field by field, and the choice what of it to take over. */
export function UpstreamDialog({ open, onOpenChange, agentId, upstream }: UpstreamDialogProps) {
  const [left, setLeft] = useState<readonly ForkField[]>([]);
  const take = useTakeOver(agentId);
  const { changes, addsTools, seen } = upstream;
  const fields = changes.map((change) => change.field).filter((field) => !left.includes(field));
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
            taken={!left.includes(change.field)}
            onChange={(taken) =>
              setLeft(taken ? left.filter((field) => field !== change.field) : [...left, change.field])
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
