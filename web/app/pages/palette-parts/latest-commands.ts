import type { Session } from '@atelier/contract/sessions';
import { useRegenerate } from '../../features/runs/branches/branches.api.ts';
import { useExchangeCommands } from '../../features/runs/branches/use-exchange-commands.ts';
import { useTasks } from '../../features/runs/runs.api.ts';
import { inOrder, isUnderWay } from '../../features/runs/task-patches.ts';
import type { Command, CommandGroup } from '../../features/search/commands.ts';
import { useAuth } from '../../lib/auth.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { wishFor } from '../../lib/wishes.ts';
import { toast } from '../../ui/overlay/toast.tsx';

const NO_COPY = 'The browser did not allow copying. Select the text and copy it by hand.';

/** What the buttons below the latest answer of the open session do. */
export function useLatestCommands(session: Session | undefined): CommandGroup {
  const { me } = useAuth();
  const id = session?.id ?? '';
  const { data } = useTasks(id, session !== undefined);
  const regenerate = useRegenerate(id);
  const commandsOf = useExchangeCommands(id);
  const latest = data && inOrder(data).at(-1);
  const heading = 'Latest exchange';
  if (!session || !latest || isUnderWay(latest)) return { heading, commands: [] };
  const mayRun = !session.agentDeleted;
  const again = (model?: string) => regenerate.mutateAsync({ taskId: latest.id, model }).catch(toastError);
  const copy = () => navigator.clipboard.writeText(latest.message).catch(() => toast.error(NO_COPY));
  // The built-in model answers under every name.
  const models = me?.modelProvider.kind === 'offline' ? [] : (me?.models ?? []);
  const commands: Command[] = [
    ...(latest.message === ''
      ? []
      : [{ id: 'copy-answer', label: 'Copy answer', keywords: ['latest'], run: () => void copy() }]),
    ...(mayRun
      ? [
          {
            id: 'edit-message',
            label: 'Edit message',
            keywords: ['last', 'latest'],
            run: () => wishFor('edit-message'),
          },
          { id: 'regenerate', label: 'Regenerate answer', keywords: ['again', 'latest'], run: () => void again() },
          ...(models.length < 2 ? [] : models).map((model) => ({
            id: `regenerate ${model.id}`,
            label: `Regenerate answer with ${model.label}`,
            keywords: ['again', 'model'],
            run: () => void again(model.id),
          })),
        ]
      : []),
    ...commandsOf(latest, mayRun)
      .filter(({ disabled }) => disabled !== true)
      .map(({ id: of, label, run }) => ({ id: of, label, keywords: ['latest'], run })),
  ];
  return { heading, commands, only: 'typed' };
}
