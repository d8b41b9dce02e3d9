import type { Task } from '@atelier/contract/runs';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { toastError } from '../../../lib/toast-error.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/overlay/popover.tsx';
import { useRegenerate } from './branches.api.ts';

/** Has a message answered once more; where several models answer, it asks which. */
export function RegenerateButton({ task, mayRun }: { task: Task; mayRun: boolean }) {
  const { me } = useAuth();
  const [open, setOpen] = useState(false);
  const regenerate = useRegenerate(task.sessionId);
  const again = (model?: string) => {
    setOpen(false);
    regenerate.mutate({ taskId: task.id, model }, { onError: toastError });
  };
  // The built-in model answers under every name.
  const models = me?.modelProvider.kind === 'offline' ? [] : (me?.models ?? []);
  const button = (
    <IconButton
      size="sm"
      label="Regenerate answer"
      disabled={!mayRun}
      aria-busy={regenerate.isPending || undefined}
      Icon={RefreshCw}
    />
  );
  if (models.length < 2) return <IconButton {...button.props} onClick={() => !regenerate.isPending && again()} />;
  return (
    <Popover label="Regenerate answer" trigger={button} open={open} onOpenChange={setOpen} className="p-2">
      <ul className="flex min-w-48 flex-col">
        <Choice label="The agent’s model" onChoose={() => again()} />
        {models.map((model) => (
          <Choice key={model.id} label={model.label} onChoose={() => again(model.id)} />
        ))}
      </ul>
    </Popover>
  );
}

function Choice({ label, onChoose }: { label: string; onChoose: () => void }) {
  return (
    <li>
      <Button size="sm" variant="ghost" className="w-full justify-start text-left font-normal" onClick={onChoose}>
        {label}
      </Button>
    </li>
  );
}
