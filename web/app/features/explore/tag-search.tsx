import { AGENT_LIMITS } from '@atelier/contract/agents';
import { X } from 'lucide-react';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextInput } from '../../ui/text-input.tsx';

const REST_MS = 300;

/** The box that filters by one exact tag. What is typed turns to lowercase and counts once the typing rests, or on Enter. */
export function TagSearch({ tag, onChange }: { tag: string; onChange: (tag: string) => void }) {
  const [typed, setTyped] = useState(tag);
  const [shown, setShown] = useState(tag);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A tag that was clicked, or the way back, fills the box too.
  if (shown !== tag) {
    setShown(tag);
    if (typed.trim() !== tag) setTyped(tag);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (next: string) => {
    clearTimeout(timer.current);
    if (next.trim() !== tag) onChange(next.trim());
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    apply(typed);
  };
  return (
    <form role="search" onSubmit={submit} className="w-full max-w-sm">
      <Field label="Search by tag">
        {(control) => (
          <span className="relative block">
            <TextInput
              {...control}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={AGENT_LIMITS.tag}
              placeholder="travel"
              className="pr-12"
              value={typed}
              onChange={(e) => {
                // As it stands on the cards.
                const next = e.target.value.toLowerCase().replace(/^#/u, '');
                setTyped(next);
                clearTimeout(timer.current);
                timer.current = setTimeout(apply, REST_MS, next);
              }}
            />
            {typed !== '' && (
              <IconButton
                label="Clear the tag"
                className="absolute inset-y-0 right-0 my-auto"
                onClick={() => {
                  setTyped('');
                  apply('');
                }}
              >
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            )}
          </span>
        )}
      </Field>
    </form>
  );
}
