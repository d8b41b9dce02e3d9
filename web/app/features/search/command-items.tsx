import { Command } from 'cmdk';
import { Kbd } from '../../ui/kbd.tsx';
import type { CommandGroup } from './commands.ts';

export const headingClass =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-sm';
export const itemClass =
  'flex min-h-10 cursor-pointer flex-col justify-center rounded px-3 py-1.5 data-[selected=true]:bg-sunken touch:min-h-11';

/** Commands in their groups. */
export function Commands({ groups, onClose }: { groups: readonly CommandGroup[]; onClose: () => void }) {
  return groups.map(({ heading, commands }) => (
    <Command.Group key={heading} heading={heading} className={headingClass}>
      {commands.map((command) => (
        <Command.Item
          key={command.id}
          value={`command ${command.id}`}
          onSelect={() => {
            onClose();
            // Once the palette is gone and the focus is back: the command may open a dialog.
            setTimeout(command.run);
          }}
          className={itemClass}
        >
          <span className="flex items-center gap-3">
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            {command.aside && <span className="max-w-1/2 shrink-0 truncate text-muted text-sm">{command.aside}</span>}
            {command.shortcut && <Kbd>{command.shortcut}</Kbd>}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  ));
}
