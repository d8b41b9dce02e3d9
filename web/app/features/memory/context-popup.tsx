import type { Task } from '@atelier/contract/runs';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { MemoryItems } from './memory-items.tsx';
import { useCountdown } from './use-countdown.ts';

/** How long the popup stays, in milliseconds. */
export const CONTEXT_MS = 5000;

const ABOVE = '[role="dialog"], [role="alertdialog"]';

export interface ContextPopupProps {
  /** The answered task whose memory is shown. Give the popup its id as `key`. */
  task: Task;
  onClose: () => void;
}

/** 'Context Retrieved': the memory an answer used, for five seconds; it waits while somebody reads in it. */
export function ContextPopup({ task, onClose }: ContextPopupProps) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  useCountdown(CONTEXT_MS, hovered || focused, onClose);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // What opened above the page, the same memories from the chip among it, is closed first.
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector(ABOVE)) return;
      event.preventDefault();
      onClose();
    };
    // Before the page's own use of Esc, which stops a running answer.
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, [onClose]);
  return (
    <section
      aria-label="Context Retrieved"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={(e) => setFocused(e.currentTarget.contains(e.relatedTarget))}
      className="fixed inset-x-3 top-16 z-30 flex max-h-[min(24rem,50dvh)] animate-rise flex-col rounded-lg border bg-raised shadow-raised sm:left-auto sm:w-96"
    >
      <header className="flex items-center justify-between gap-2 py-1 pr-1 pl-4">
        <div role="status">
          <h2 className="font-semibold">Context Retrieved</h2>
        </div>
        <IconButton label="Close context" onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </header>
      {/* What scrolls must be reachable by keyboard. */}
      <section aria-label="Memory used" tabIndex={0} className="min-h-0 overflow-y-auto px-4 pb-4">
        <MemoryItems items={task.memoryUsed} agentName={task.agentName} sessionId={task.sessionId} onFollow={onClose} />
      </section>
    </section>
  );
}
