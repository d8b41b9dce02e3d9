import { excerpt } from '@atelier/contract/agents';
import type { SavedPrompt } from '@atelier/contract/prompts';
import { type ReactNode, useEffect, useRef } from 'react';
import { classes } from '../../../ui/classes.ts';
import { MENU, optionId } from './prompt-choice.ts';

const EXCERPT = 90;

export interface PromptMenuProps {
  prompts: readonly SavedPrompt[];
  /** The option that Enter would choose. */
  active: number;
  onChoose: (index: number) => void;
}

/** The saved prompts above the composer, and last the way to all of them. The field keeps the focus. */
export default function PromptMenu({ prompts, active, onChoose }: PromptMenuProps) {
  return (
    <div
      id={MENU}
      role="listbox"
      aria-label="Saved prompts"
      className="absolute inset-x-0 bottom-full z-10 mb-2 flex max-h-[min(20rem,40dvh)] flex-col overflow-y-auto overscroll-contain rounded-lg border border-edge bg-raised p-1 shadow-raised"
    >
      {prompts.map(({ id, name, text }, i) => (
        <Option key={id} index={i} active={active} onChoose={onChoose}>
          <span className="truncate font-semibold">{name}</span>
          <span className="truncate text-muted text-sm">{excerpt(text.replaceAll('\n', ' '), EXCERPT)}</span>
        </Option>
      ))}
      <Option index={prompts.length} active={active} onChoose={onChoose}>
        {prompts.length === 0 ? 'Save your first prompt…' : 'All saved prompts…'}
      </Option>
    </div>
  );
}

interface OptionProps extends Pick<PromptMenuProps, 'active' | 'onChoose'> {
  index: number;
  children: ReactNode;
}

function Option({ index, active, onChoose, children }: OptionProps) {
  const selected = index === active;
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) own.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <div
      ref={own}
      id={optionId(index)}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      // Pressing it must not take the focus, or a phone's keyboard would go.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(index)}
      onKeyDown={(event) => event.key === 'Enter' && onChoose(index)}
      className={classes(
        'flex min-h-11 cursor-pointer flex-col justify-center rounded px-3 py-1.5 leading-5',
        selected ? 'bg-sunken' : 'hover:bg-sunken',
      )}
    >
      {children}
    </div>
  );
}
