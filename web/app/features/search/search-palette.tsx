import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { type ComponentType, useState } from 'react';
import { useNavigate } from 'react-router';
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts';
import { Search } from '../../ui/icons/lucide.ts';
import { overlayClass } from '../../ui/overlay/sheet-classes.ts';
import { Commands } from './command-items.tsx';
import { type CommandGroup, findCommands } from './commands.ts';
import { Found } from './found-items.tsx';
import { Progress } from './search-progress.tsx';
import { useTypedSearch } from './use-typed-search.ts';

export interface SearchPaletteProps {
  onClose: () => void;
  /** What it can do, beside finding. */
  commands: readonly CommandGroup[];
  /** Shows what else has the typed words. */
  Others: ComponentType<{ q: string; onClose: () => void }>;
}

/** Does everything that menus do, and searches all of the person's data. Arrow keys choose, Enter does it, Esc closes. */
export function SearchPalette({ onClose, commands, Others }: SearchPaletteProps) {
  const focus = useReturnFocus();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const search = useTypedSearch(typed);
  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-2 top-2 z-50 flex max-h-[min(36rem,calc(100dvh-1rem))] animate-fade flex-col overflow-hidden rounded-lg border bg-raised text-ink shadow-raised sm:inset-x-auto sm:top-[12dvh] sm:left-1/2 sm:max-h-[min(36rem,76dvh)] sm:w-[40rem] sm:-translate-x-1/2"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Command shouldFilter={false} loop label="Search" className="flex min-h-0 flex-1 flex-col">
            <div className="flex items-center gap-3 border-b px-4">
              <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <Command.Input
                value={typed}
                onValueChange={setTyped}
                maxLength={200}
                placeholder="Search sessions or commands"
                className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
              />
            </div>
            <Command.List className="min-h-0 flex-1 overflow-y-auto p-2">
              <Commands groups={findCommands(commands, typed)} onClose={onClose} />
              <Found search={search} onGo={go} />
              {search.asked && search.q !== '' && <Others q={search.q} onClose={onClose} />}
            </Command.List>
            <Progress search={search} />
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
