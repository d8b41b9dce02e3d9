import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { useAuth } from '../../lib/auth.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { ChevronDown } from '../../ui/icons/lucide.ts';
import { Menu } from '../../ui/overlay/menu.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useSaveAgent } from './agents.api.ts';
import { isAccepted, modelHint, modelOptions } from './model-choice.ts';

/** The agent's model; a press shows the others, and choosing one saves it. */
export function ModelMenu({ agent, className }: { agent: Agent; className: string }) {
  const { me } = useAuth();
  const save = useSaveAgent();
  const { id: agentId, model: before } = agent;
  const options = modelOptions(me, before);
  const isOffline = me?.modelProvider.kind === 'offline';
  const labelOf = (model: string) => options.find(({ value }) => value === model)?.label;
  const store = (model: string) => save.mutateAsync({ agentId, changes: { model } });
  const choose = (model: string) => {
    if (model === before || save.isPending) return;
    const undo = isAccepted(me, before) ? () => store(before).catch(toastError) : undefined;
    const message = `${SENTENCES.agentUpdated} The next answer comes from ${labelOf(model)}.`;
    store(model).then(() => toast.success(message, { undo }), toastError);
  };
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost" loading={save.isPending} className={className}>
          <span className="sr-only">Model: </span>
          <span className="min-w-0 truncate">{labelOf(before)}</span>
          <ChevronDown className="size-4 shrink-0" />
        </Button>
      }
      groups={[
        {
          label: isOffline ? SENTENCES.offlineModel : modelHint(me, before),
          items: options.map(({ value, label }) => ({
            id: value,
            label,
            checked: value === before,
            run: () => choose(value),
          })),
        },
      ]}
    />
  );
}
