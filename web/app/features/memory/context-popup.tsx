import type { Task } from '@atelier/contract/runs';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { X } from '../../ui/icons/lucide.ts';
import { useLatest } from '../../ui/list/use-latest.ts';
import { STILL_LOADING } from './memory-notes.tsx';
import { memoryWords } from './memory-words.ts';
import { byUse, originsOf } from './receipt.ts';

/** How long the popup stays, in milliseconds. */
const CONTEXT_MS = 5000;

const ABOVE = '[role="dialog"], [role="alertdialog"]';

export interface ContextPopupProps {
  /** The answered task whose memory is shown. Use its id as the popup's `key`. */
  task: Task;
  onClose: () => void;
}

/** 'Context Retrieved': the memory that an answer used most, for five seconds; it pauses while somebody reads it. Fits the room above the composer. */
export default function ContextPopup({ task, onClose }: ContextPopupProps) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  useCountdown(CONTEXT_MS, hovered || focused, onClose);
  useEscape(onClose);
  const [first] = byUse(task);
  return (
    <section
      aria-label="Context Retrieved"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={(e) => setFocused(e.currentTarget.contains(e.relatedTarget))}
      className="absolute right-0 bottom-1 z-30 flex w-full animate-rise items-center rounded-lg border bg-raised pl-3 shadow-raised sm:w-md"
    >
      <div className="min-w-0 flex-1 py-px text-sm leading-[1.125rem]">
        <div role="status" className="truncate">
          <h2 className="inline font-semibold">Context Retrieved</h2>
          <span className="ml-2 text-muted">{originsOf(task)}</span>
        </div>
        <p className="truncate">
          {first === undefined ? STILL_LOADING : first.forgotten ? 'Forgotten' : memoryWords(first)}
        </p>
      </div>
      <IconButton label="Close context" size="sm" className="touch:h-9" onClick={onClose} Icon={X} />
    </section>
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

/** Calls `onEnd` after `milliseconds`; the countdown pauses while `isPaused`. */
function useCountdown(milliseconds: number, isPaused: boolean, onEnd: () => void): void {
  const remaining = useRef(milliseconds);
  const end = useLatest(onEnd);
  useEffect(() => {
    if (isPaused) return;
    const begun = performance.now();
    const timer = setTimeout(() => end.current(), remaining.current);
    return () => {
      clearTimeout(timer);
      remaining.current = Math.max(0, remaining.current - (performance.now() - begun));
    };
  }, [isPaused, end]);
}
