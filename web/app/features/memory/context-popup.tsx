import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { memoryWords } from './memory-words.ts';
import { PartialNote } from './partial-note.tsx';
import { countMemories, isRated, percent, speakerOf } from './receipt.ts';
import { useClearSpot } from './use-clear-spot.ts';
import { useCountdown } from './use-countdown.ts';

/** How long the popup stays, in milliseconds. */
const CONTEXT_MS = 5000;

/** How many memories it shows; the chip below the answer has them all. */
const SHOWN = 3;

const ABOVE = '[role="dialog"], [role="alertdialog"]';

const placeClass = {
  top: 'top-16',
  bottom: '',
  slim: 'top-1 sm:right-40',
};

export interface ContextPopupProps {
  /** The answered task whose memory is shown. Use its id as the popup's `key`. */
  task: Task;
  onClose: () => void;
}

/** 'Context Retrieved': the memory that an answer used, for five seconds; it pauses while somebody reads it. */
export default function ContextPopup({ task, onClose }: ContextPopupProps) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const card = useRef<HTMLElement>(null);
  const { place, style } = useClearSpot(card);
  useCountdown(CONTEXT_MS, hovered || focused, onClose);
  useEscape(onClose);
  const items = task.memoryUsed;
  const rest = items.length - SHOWN;
  return (
    <section
      ref={card}
      aria-label="Context Retrieved"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={(e) => setFocused(e.currentTarget.contains(e.relatedTarget))}
      style={style}
      className={classes(
        'fixed inset-x-3 z-30 flex animate-rise flex-col rounded-lg border bg-raised shadow-raised sm:left-auto sm:w-96',
        placeClass[place],
      )}
    >
      <header className="flex items-center justify-between gap-2 py-0.5 pr-1 pl-4">
        <div role="status" className="min-w-0 truncate">
          <h2 className="inline font-semibold">Context Retrieved</h2>
          <span className="ml-2 text-muted text-sm">{countMemories(items.length)}</span>
        </div>
        <IconButton label="Close context" onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </header>
      {place !== 'slim' && task.memoryPartial && (
        <div className="px-4">
          <PartialNote task={task} />
        </div>
      )}
      {place !== 'slim' && (
        <ul className="flex flex-col gap-1.5 px-4 pb-3">
          {items.slice(0, SHOWN).map((item) => (
            <Glance key={item.id} item={item} agentName={task.agentName} />
          ))}
          {rest > 0 && <li className="text-muted text-sm">{rest} more under the answer.</li>}
        </ul>
      )}
    </section>
  );
}

/** One memory on one line, or two if there is room. */
function Glance({ item, agentName }: { item: MemoryItem; agentName: string }) {
  return (
    <li className="text-sm leading-5">
      <span className="flex items-baseline gap-2 text-muted text-xs">
        <span className="min-w-0 truncate font-semibold">{speakerOf(item, agentName)}</span>
        {isRated(item) && (
          <span className="ml-auto shrink-0 font-mono" title="How well it matches the question">
            {percent(item.score)}
          </span>
        )}
      </span>
      <span className="line-clamp-1 sm:line-clamp-2">{item.forgotten ? 'Forgotten' : memoryWords(item)}</span>
    </li>
  );
}

/** Esc closes the popup first; otherwise it would stop a running answer. */
function useEscape(onClose: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Something opened above the page, such as the chip's list, closes first.
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector(ABOVE)) return;
      event.preventDefault();
      onClose();
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, [onClose]);
}
