import { SESSION_NAME_MAX } from '@atelier/contract/sessions';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { Check } from '../../ui/icons/lucide.ts';
import { useLatest } from '../../ui/list/use-latest.ts';
import { renamed } from './session-pages.ts';

export interface SessionNameEditProps {
  name: string;
  /** Called once, with the new name, or with null when nothing changes. */
  onDone: (name: string | null, byKey: boolean) => void;
}

/** Edits a name in place: Enter, leaving the field and the check mark confirm; Esc cancels; an empty name is ignored. */
export function SessionNameEdit({ name, onDone }: SessionNameEditProps) {
  // A generated title may arrive while the field is open; an untouched field must not overwrite it.
  const [before] = useState(name);
  const [typed, setTyped] = useState(name);
  // Enter removes the field, which also blurs it: only the first of the two counts.
  const finished = useRef(false);
  const finish = (result: string | null, byKey: boolean) => {
    if (finished.current) return;
    finished.current = true;
    onDone(result, byKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') finish(renamed(before, typed), true);
  };
  useEscape(() => finish(null, true));
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1 p-0.5">
      <input
        dir="auto"
        aria-label="Session name"
        // The person has just asked for this field.
        ref={(input) => input?.focus()}
        onFocus={(e) => e.target.select()}
        value={typed}
        maxLength={SESSION_NAME_MAX}
        onChange={(e) => setTyped(e.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => finish(renamed(before, typed), false)}
        className="h-8 min-w-0 flex-1 rounded-sm border border-edge bg-raised px-1.5 text-base touch:h-10"
      />
      <IconButton
        size="sm"
        label="Save name"
        onPointerDown={(e) => e.preventDefault()}
        onClick={() => finish(renamed(before, typed), true)}
        Icon={Check}
      />
    </span>
  );
}

/** Esc closes only this field: caught before a drawer around it closes or an answer stops. */
function useEscape(onEscape: () => void) {
  const escape = useLatest(onEscape);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      escape.current();
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, [escape]);
}
