import type { Task } from '@atelier/contract/runs';
import { useAuth } from '../../../lib/auth.tsx';
import { toastError } from '../../../lib/toast-error.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChevronDown, Ellipsis, RefreshCw } from '../../../ui/icons/lucide.ts';
import { Menu } from '../../../ui/overlay/menu.tsx';
import { useRegenerate } from './branches.api.ts';
import { useExchangeCommands } from './use-exchange-commands.ts';

/** What can be done with an exchange that has ended: answer it again, unless its ending has a way on, and behind "More" what is done less often. */
export function ExchangeActions({ task, mayRun }: { task: Task; mayRun: boolean }) {
  const commands = useExchangeCommands(task.sessionId);
  return (
    <>
      {task.status === 'done' && <RegenerateButton task={task} mayRun={mayRun} />}
      <Menu
        trigger={<IconButton size="sm" label="More for this exchange" Icon={Ellipsis} />}
        groups={[{ items: commands(task, mayRun) }]}
      />
    </>
  );
}

/** Has a message answered once more, by the agent's model or, where several answer, one that is chosen. */
function RegenerateButton({ task, mayRun }: { task: Task; mayRun: boolean }) {
  const { me } = useAuth();
  const regenerate = useRegenerate(task.sessionId);
  const again = (model?: string) => {
    if (!regenerate.isPending) regenerate.mutate({ taskId: task.id, model }, { onError: toastError });
  };
  // The built-in model answers under every name.
  const models = me?.modelProvider.kind === 'offline' ? [] : (me?.models ?? []);
  return (
    <>
      <IconButton
        size="sm"
        label="Regenerate answer"
        disabled={!mayRun}
        aria-busy={regenerate.isPending || undefined}
        onClick={() => again()}
        Icon={RefreshCw}
      />
      {models.length > 1 && (
        <Menu
          trigger={
            <IconButton
              size="sm"
              label="Regenerate with another model"
              disabled={!mayRun}
              className="-ml-1.5 w-6"
              Icon={ChevronDown}
            />
          }
          groups={[{ items: models.map(({ id, label }) => ({ id, label, run: () => again(id) })) }]}
        />
      )}
    </>
  );
}
