import { type SavedPrompt, variablesOf } from '@atelier/contract/prompts';
import { type KeyboardEvent, type RefObject, Suspense, useState } from 'react';
import { flushSync } from 'react-dom';
import { openForm } from '../../../lib/typed/saved-form.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { BookmarkPlus } from '../../../ui/icons/lucide.ts';
import { later } from '../../../ui/later.tsx';
import { part } from '../../../ui/part.tsx';
import { MENU, matchPrompts, optionId, slashQuery, withPrompt } from './prompt-choice.ts';
import { usePrompts } from './prompts.api.ts';

// Most messages are written without them.
const PromptMenu = part(() => import('./prompt-menu.tsx'));
const PromptsDialog = later(() => import('./prompts-dialog.tsx'));
const FillPromptDialog = later(() => import('./fill-prompt-dialog.tsx'));

interface ComposerField {
  text: string;
  write: (text: string) => void;
  field: RefObject<HTMLTextAreaElement | null>;
}

/**
 * Saved prompts in the composer: a list while its text begins with a slash, and a button that opens all of them. A multi-line field can't
 * be a combobox by role; the list is named and followed by its `aria-controls` and `aria-activedescendant`, and told by a live region.
 */
export function usePromptMenu({ text, write, field }: ComposerField) {
  const query = slashQuery(text);
  const [dismissed, setDismissed] = useState(false);
  const [active, setActive] = useState(0);
  const [managing, setManaging] = useState(() => openForm('prompt') !== undefined);
  const [filling, setFilling] = useState<SavedPrompt>();
  const { data: prompts } = usePrompts(query !== null);
  if (dismissed && query === null) setDismissed(false);
  const matches = prompts === undefined || query === null ? [] : matchPrompts(prompts, query);
  // The last option leads to all prompts; alone, it is offered only until something is searched for.
  const count = matches.length + 1;
  const isOpen = !dismissed && prompts !== undefined && query !== null && (matches.length > 0 || query === '');
  const at = Math.min(active, count - 1);

  const insert = (prompt: string) => {
    // The caret goes behind the text at once: a frame later it could take the selection of somebody who writes on.
    flushSync(() => write(withPrompt(text, prompt)));
    field.current?.setSelectionRange(-1, -1);
    // A dialog keeps the focus until it has closed.
    requestAnimationFrame(() => field.current?.focus());
  };
  const apply = (prompt: SavedPrompt) => {
    if (slashQuery(text) !== null) write('');
    if (variablesOf(prompt.text).length > 0) setFilling(prompt);
    else insert(prompt.text);
  };
  const choose = (index: number) => {
    const prompt = matches[index];
    setActive(0);
    if (prompt !== undefined) return apply(prompt);
    write('');
    setManaging(true);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    // Meant for the dialog that is about to open; it must not send.
    if (filling !== undefined && event.key === 'Enter') {
      event.preventDefault();
      return true;
    }
    const act = isOpen && actionOf(event, at, count);
    if (!act) return false;
    event.preventDefault();
    if (act === 'close') setDismissed(true);
    else if (act === 'choose') choose(at);
    else setActive(act.to);
    return true;
  };
  return {
    onKeyDown,
    field: isOpen
      ? ({
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': MENU,
          'aria-activedescendant': optionId(at),
        } as const)
      : {},
    menu: (
      <>
        <span aria-live="polite" className="sr-only">
          {isOpen ? countText(matches.length) : ''}
        </span>
        <Suspense>{isOpen && <PromptMenu prompts={matches} active={at} onChoose={choose} />}</Suspense>
      </>
    ),
    button: (
      <>
        <IconButton label="Saved prompts" onClick={() => setManaging(true)} Icon={BookmarkPlus} />
        <PromptsDialog open={managing} onOpenChange={setManaging} written={query === null ? text : ''} onUse={apply} />
        <FillPromptDialog
          open={filling !== undefined}
          prompt={filling}
          onClose={() => setFilling(undefined)}
          onFilled={insert}
        />
      </>
    ),
  };
}

const countText = (n: number) =>
  `${n === 1 ? '1 saved prompt' : `${n} saved prompts`}. The arrow keys choose, Enter uses one, Escape closes.`;

/** What a key does in an open list. */
function actionOf(event: KeyboardEvent, at: number, count: number): 'close' | 'choose' | { to: number } | null {
  switch (event.key) {
    case 'ArrowDown':
      return { to: (at + 1) % count };
    case 'ArrowUp':
      return { to: (at + count - 1) % count };
    case 'Enter':
      return event.shiftKey ? null : 'choose';
    case 'Escape':
      return 'close';
    default:
      return null;
  }
}
