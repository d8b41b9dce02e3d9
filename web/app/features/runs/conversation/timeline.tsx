import type { SessionSummary, Task } from '@atelier/contract/runs';
import { type ReactNode, type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { Button } from '../../../ui/button.tsx';
import { ArrowDown } from '../../../ui/icons/lucide.ts';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { Exchange, type ExchangeProps } from '../exchange/exchange.tsx';
import { isUnderWay } from '../task-patches.ts';

/** The newest exchanges always have a layout; older ones may wait until they are scrolled to. */
const ALWAYS_LAID_OUT = 8;

export interface TimelineProps extends Omit<ExchangeProps, 'task' | 'old' | 'newest' | 'editing'> {
  tasks: readonly Task[];
  summary: SessionSummary | null;
  /** `forget` drops everything older than the last few screens. */
  older: { has: boolean; loading: boolean; load: () => void; forget: () => void };
  /** What follows the last task: a message being sent, or a note about an empty session. */
  children: ReactNode;
  /** An exchange to scroll to once it is loaded. */
  soughtId: string | null;
  /** The exchange whose message is being edited. */
  editingId: string | undefined;
}

/** The exchanges of a session, oldest first. Stays at the end until the reader scrolls up. */
export function Timeline(props: TimelineProps) {
  const { tasks: loaded, summary, older, children, soughtId, editingId, ...exchange } = props;
  const [isWhole, tasks] = useNewestFirst(loaded, soughtId);
  const { scrollRef, contentRef, isAtBottom, scrollToBottom, stopScroll } = useStickToBottom({
    initial: 'instant',
    resize: 'instant',
  });
  const top = useReachedTop(scrollRef, isWhole && older.has && !older.loading, older.load);
  useKeepPlace(scrollRef, tasks[0]?.id);
  useSought(scrollRef, soughtId, { isThere: tasks.some((task) => task.id === soughtId), older, stop: stopScroll });
  // What is being edited may be on an older page.
  useForgetting(isAtBottom && editingId === undefined, older.forget);
  // Its field may be higher than the message was; following the end would push it out of view.
  useEffect(() => {
    if (editingId !== undefined) stopScroll();
  }, [editingId, stopScroll]);
  useResized(scrollRef, () => isAtBottom && void scrollToBottom({ animation: 'instant' }));
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scrollRef}
        role="log"
        aria-label="Conversation"
        // A region of its own announces the end of an answer once.
        aria-live="off"
        aria-busy={tasks.some(isUnderWay)}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        <div ref={contentRef} className="mx-auto flex w-full max-w-3xl flex-col divide-y px-4 sm:px-6">
          {isWhole && summary && <SummaryNote summary={summary} />}
          {isWhole && older.has && (
            <div ref={top} className="flex justify-center py-3">
              <Button size="sm" variant="ghost" loading={older.loading} onClick={older.load}>
                Load older messages
              </Button>
            </div>
          )}
          {tasks.map((task, i) => (
            <Exchange
              // Versions of a message share their place, so the focus stays on the arrows between them.
              key={task.parentId ?? 'first'}
              task={task}
              editing={task.id === editingId}
              old={i < tasks.length - ALWAYS_LAID_OUT}
              newest={i === tasks.length - 1}
              {...exchange}
            />
          ))}
          {children}
        </div>
      </div>
      {!isAtBottom && (
        <Button
          size="sm"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-raised"
          onClick={() => void scrollToBottom({ animation: 'instant' })}
        >
          <ArrowDown className="size-4" />
          Jump to latest
        </Button>
      )}
    </div>
  );
}

/** The first paint shows the newest exchanges; those above follow right after it. Returns whether they have, and the exchanges to render. */
function useNewestFirst(loaded: readonly Task[], soughtId: string | null): [isWhole: boolean, tasks: readonly Task[]] {
  const [isWhole, setWhole] = useState(soughtId !== null || loaded.length <= ALWAYS_LAID_OUT);
  useEffect(() => startTransition(() => setWhole(true)), []);
  return [isWhole, isWhole ? loaded : loaded.slice(-ALWAYS_LAID_OUT)];
}

/** A reader who returns to the end, or leaves, no longer needs the older pages. */
function useForgetting(isAtBottom: boolean, forget: () => void) {
  const wasAway = useRef(false);
  useEffect(() => {
    if (!isAtBottom) wasAway.current = true;
    else if (wasAway.current) {
      wasAway.current = false;
      forget();
    }
  }, [isAtBottom, forget]);
  useEffect(() => forget, [forget]);
}

/** A growing composer shrinks the window above it; keep a reader at the end there. */
function useResized(box: RefObject<HTMLElement | null>, onResize: () => void) {
  const resized = useLatest(onResize);
  useEffect(() => {
    if (!box.current) return;
    let height: number | undefined;
    const observer = new ResizeObserver(([entry]) => {
      const now = entry?.contentRect.height;
      // The first report is the initial size; the reader may have come for another place than the end.
      if (height !== undefined && now !== height) resized.current();
      height = now;
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, resized]);
}

/** Says above a long conversation that the agent gets its beginning as a summary, and shows it. */
function SummaryNote({ summary }: { summary: SessionSummary }) {
  const count = summary.exchanges === 1 ? 'The first exchange is' : `The first ${summary.exchanges} exchanges are`;
  return (
    <details className="py-3 text-muted text-sm">
      <summary className="rounded touch:min-h-11">
        {count} given to the agent as a summary
        {summary.kind === 'extractive' && ' (extractive: your own sentences, chosen without a model)'}.
      </summary>
      <p className="mt-2 max-w-[72ch] whitespace-pre-wrap rounded border bg-surface px-4 py-3">
        {summary.text === '' ? 'Nothing in them was worth keeping.' : summary.text}
      </p>
    </details>
  );
}

/** Keeps the reader's place when exchanges appear above `firstId`, the oldest; nothing in browsers that anchor scrolling themselves. */
function useKeepPlace(scroller: RefObject<HTMLElement | null>, firstId: string | undefined): void {
  const place = useRef<{ id: string; top: number } | null>(null);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const find = (id: string) => box.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"]`);
    const before = place.current;
    if (before && before.id !== firstId) {
      const moved = (find(before.id)?.getBoundingClientRect().top ?? before.top) - before.top;
      box.style.overflowAnchor = 'none';
      box.scrollTop += moved;
      requestAnimationFrame(() => {
        box.style.overflowAnchor = '';
      });
    }
    const note = () => {
      const first = firstId === undefined ? null : find(firstId);
      place.current = first && firstId !== undefined ? { id: firstId, top: first.getBoundingClientRect().top } : null;
    };
    // Later, when the layout is known anyway.
    const timer = setTimeout(note);
    box.addEventListener('scroll', note, { passive: true });
    return () => {
      clearTimeout(timer);
      box.removeEventListener('scroll', note);
    };
  }, [firstId, scroller]);
}

/** Calls `onReach` when the returned element comes within a few screens of being visible, if `armed`. */
function useReachedTop(scroller: RefObject<HTMLElement | null>, armed: boolean, onReach: () => void) {
  const mark = useRef<HTMLDivElement>(null);
  const reach = useLatest(onReach);
  useEffect(() => {
    if (!armed || !mark.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && reach.current(), {
      root: scroller.current,
      rootMargin: '2000px 0px 0px',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [armed, scroller, reach]);
  return mark;
}

interface Sought {
  /** Whether the exchange is on the page. */
  isThere: boolean;
  older: { has: boolean; loading: boolean; load: () => void };
  /** Stops following the end of the conversation. */
  stop: () => void;
}

/** Shows one exchange, once: loads older ones until it is there, scrolls to it and highlights it for a moment. */
function useSought(scroller: RefObject<HTMLElement | null>, soughtId: string | null, state: Sought): void {
  const shown = useRef<string | null>(null);
  const { isThere, older, stop } = state;
  const missing = soughtId !== null && !isThere && older.has && !older.loading;
  const { load } = older;
  useEffect(() => {
    // Once shown, it may be dropped again together with its page.
    if (missing && shown.current !== soughtId) load();
  }, [missing, load, soughtId]);
  useEffect(() => {
    if (soughtId === null || !isThere || shown.current === soughtId) return;
    shown.current = soughtId;
    stop();
    const exchange = scroller.current?.querySelector<HTMLElement>(`[data-task="${CSS.escape(soughtId)}"]`);
    if (!exchange) return;
    exchange.scrollIntoView({ block: 'start' });
    exchange.dataset.sought = '';
    const timer = setTimeout(() => delete exchange.dataset.sought, 3000);
    return () => {
      clearTimeout(timer);
      delete exchange.dataset.sought;
    };
  }, [soughtId, isThere, scroller, stop]);
}
