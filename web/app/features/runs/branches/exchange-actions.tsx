import type { Task } from '@atelier/contract/runs';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Ellipsis } from '../../../ui/icons/lucide.ts';
import { Menu } from '../../../ui/overlay/menu.tsx';
import { RegenerateButton } from './regenerate-button.tsx';
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
