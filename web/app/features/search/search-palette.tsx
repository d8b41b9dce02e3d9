import { SENTENCES } from '@atelier/contract/errors';
import type { Passage } from '@atelier/contract/search';
import { whySentence } from '@atelier/contract/search/why-found';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { type ComponentType, useState } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../lib/http.ts';
import { IMITATION } from '../../lib/names/imitation.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts';
import { dayOf } from '../../ui/formats.ts';
import { Search } from '../../ui/icons/lucide.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { overlayClass } from '../../ui/overlay/sheet-classes.ts';
import { useAboveDrawer } from '../../ui/page/drawer-request.ts';
import { type CommandGroup, findCommands } from './commands.ts';
import { type TypedSearch, useTypedSearch } from './search.api.ts';
import type { Result } from './search-results.ts';

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
  useAboveDrawer(true, onClose);
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
              <Search className="size-4 shrink-0 text-muted" />
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
              <SearchResults search={search} onGo={go} />
              {search.hasQuery && search.q !== '' && <Others q={search.q} onClose={onClose} />}
            </Command.List>
            <Progress search={search} />
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What the search found, each with the reason; for free accounts, how to get it. */
function SearchResults({ search, onGo }: { search: TypedSearch; onGo: (to: string) => void }) {
  if (search.hasQuery && !search.isPro) {
    return (
      <Command.Group heading="Search" className={headingClass}>
        <Command.Item value="upgrade" onSelect={() => onGo('/billing')} className={itemClass}>
          <span>{SENTENCES.proFeature}</span>
          <span className="text-muted text-sm">Upgrade to search your sessions, memories and agents.</span>
        </Command.Item>
      </Command.Group>
    );
  }
  return search.groups.map(({ heading, results }) => (
    <Command.Group key={heading} heading={heading} className={headingClass}>
      {results.map((result) => (
        <Command.Item key={result.key} value={result.key} onSelect={() => onGo(result.to)} className={itemClass}>
          <ResultLine result={result} />
        </Command.Item>
      ))}
    </Command.Group>
  ));
}

function ResultLine({ result }: { result: Result }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 truncate font-semibold">
          <SeenName name={result.title} />
        </span>
        <span className="max-w-2/3 shrink-0 truncate text-muted text-sm">
          {result.at && dayOf(result.at)}
          {result.aside !== '' && result.at && ' · '}
          <SeenName name={result.aside} />
        </span>
      </span>
      {result.imitates !== undefined && (
        <span className="text-sm text-warning">
          {IMITATION} “<SeenName name={result.imitates} />”
        </span>
      )}
      {result.passage.length > 0 && <PassageText passage={result.passage} />}
      <span className="line-clamp-2 text-muted text-sm">{whySentence(result.why)}</span>
    </>
  );
}

function PassageText({ passage }: { passage: Passage }) {
  let at = 0;
  return (
    <span className="line-clamp-2 text-sm">
      {passage.map((part) => {
        at += part.text.length;
        return part.hit ? (
          <mark key={at} className="rounded-sm bg-sunken font-semibold text-ink underline underline-offset-2">
            <SeenText text={part.text} />
          </mark>
        ) : (
          <span key={at}>
            <SeenText text={part.text} />
          </span>
        );
      })}
    </span>
  );
}

function Progress({ search }: { search: TypedSearch }) {
  const { q, hasQuery, isPro, loaded, error, again, groups, late } = search;
  const nothing = groups.length === 0 ? `Nothing was found for “${q}”.` : '';
  const status = loaded ? [nothing, late ? SENTENCES.wordsOnly : ''].filter(Boolean).join(' ') : 'Searching…';
  if (hasQuery && isPro && error) return <Failure text={errorText(error)} onRetry={again} className="mx-2 my-2" />;
  return (
    <p role="status" className="px-5 py-2 text-muted text-sm empty:hidden">
      {hasQuery && isPro ? status : ''}
    </p>
  );
}

const headingClass =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-sm';
const itemClass =
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
