import type { Agent } from '@atelier/contract/agents';
import type { QueuedMessage, Task } from '@atelier/contract/runs';
import type { Session } from '@atelier/contract/sessions';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { toastError } from '../../../lib/toast-error.ts';
import { useWishes } from '../../../lib/wishes.ts';
import { Banner } from '../../../ui/banner.tsx';
import { isEngaged } from '../../../ui/focus/is-engaged.ts';
import { AGENT_GONE, useMessagePen } from '../branches/message-edit.tsx';
import { Composer } from '../composer/composer.tsx';
import { LimitBanner } from '../composer/limit-banner.tsx';
import { isAtLimit } from '../composer/limits.ts';
import { useSending, useSteady } from '../composer/use-sending.ts';
import { useQueue } from '../queue/queue.api.ts';
import { useQueueAnnouncement } from '../queue/queue-change.ts';
import { useCancel, useTasks } from '../runs.api.ts';
import { inOrder, isUnderWay } from '../task-patches.ts';
import { ConversationBody } from './conversation-body.tsx';
import { useAnswered } from './use-answered.ts';
import { useShortcuts } from './use-shortcuts.ts';

export interface ConversationProps {
  /** The current session. Use its id as the conversation's `key`. */
  session: Session;
  /** The session was just started: focus the composer for the first message. */
  fresh: boolean;
  /** Its agent, once it is known. */
  agent: Agent | undefined;
  /** The exchange to show, linked from a search or a memory. */
  soughtId: string | null;
  /** Renders an answer's memory below it. */
  renderMemory: (task: Task, agentId: string) => ReactNode;
  /** Renders what else can be put into a message. */
  renderExtras?: (session: Session) => ReactNode;
  /** Renders, above the composer, the memory of an answer that has finished while this session was on the screen. */
  renderContext: (task: Task, onClose: () => void) => ReactNode;
}

const EDIT = ['edit-message'] as const;
const NONE: readonly QueuedMessage[] = [];
const CONTINUE = 'Continue where you stopped.';

/** One session: its exchanges, and the composer, the limit banner or the reason why there is none. */
export function Conversation(props: ConversationProps) {
  const { session, agent, fresh, soughtId, renderMemory, renderExtras, renderContext } = props;
  const { me } = useAuth();
  const query = useTasks(session.id);
  const tasks = useMemo(() => query.data && inOrder(query.data), [query.data]);
  const field = useRef<HTMLTextAreaElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const { announcement, answered, closeAnswered } = useAnswered(tasks);
  const { running, stop, stopping } = useStop(session.id, tasks);
  const { data: queue = NONE, dataUpdatedAt } = useQueue(session.id);
  const queueAnnouncement = useQueueAnnouncement(queue, dataUpdatedAt > 0);
  // Also between two answers, when something will be sent by itself.
  const queues = running !== undefined || queue.some(({ state }) => state !== 'paused');
  const sending = useSending(session, { tasks, problem: query.failureReason, queue, queues });
  const onContinue = useSteady(() => sending.say(CONTINUE));
  useShortcuts(field, stop);
  useKeyboardInset(dock);
  useEffect(() => {
    // The conversation may load late, when somebody is at something else.
    if (fresh && !isEngaged()) field.current?.focus();
  }, [fresh]);

  const pen = useMessagePen(session.id, tasks);
  useWishes(EDIT, pen.editLast);

  return (
    <>
      <ConversationBody
        session={session}
        soughtId={soughtId}
        query={query}
        tasks={tasks}
        sending={sending}
        queue={queue}
        mayRetry={!queues && !sending.sending && !session.agentDeleted}
        onContinue={onContinue}
        editingId={pen.editingId}
        onEditing={pen.edit}
        editArea={pen.area}
        renderMemory={renderMemory}
        agent={agent}
      />
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <p aria-live="polite" className="sr-only">
        {queueAnnouncement}
      </p>
      <div ref={dock} className="mx-auto w-full max-w-3xl shrink-0 px-4 pb-1 sm:px-6">
        {/* The popup has this room to itself, so that it covers nothing. */}
        <div className="relative h-12">{answered && renderContext(answered, closeAnswered)}</div>
        {session.agentDeleted ? (
          <Banner role="status">{AGENT_GONE}</Banner>
        ) : me && isAtLimit(me) ? (
          <LimitBanner />
        ) : (
          <Composer
            sessionId={session.id}
            agentName={session.agentName}
            model={agent?.model}
            field={field}
            busy={sending.sending}
            queues={queues}
            waiting={running?.status === 'waiting'}
            onStop={stop}
            stopping={stopping}
            onSend={sending.send}
            onEditLast={pen.editLast}
            error={sending.error}
            extras={renderExtras?.(session)}
          />
        )}
      </div>
    </>
  );
}

function useStop(sessionId: string, tasks: readonly Task[] | undefined) {
  const cancel = useCancel(sessionId);
  const running = tasks?.findLast(isUnderWay);
  const stop = () => {
    if (running && !cancel.isPending) cancel.mutate(running.id, { onError: toastError });
  };
  return { running, stop: running ? stop : undefined, stopping: cancel.isPending };
}

/** Lifts an element above the on-screen keyboard if the browser lays it over the page (iOS). */
function useKeyboardInset(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const lift = () => {
      if (!element.current) return;
      // A pinch-zoomed page also shows less of itself, but hides nothing behind a keyboard.
      const hidden = view.scale > 1.01 ? 0 : Math.max(0, window.innerHeight - view.height - view.offsetTop);
      element.current.style.paddingBottom = hidden > 40 ? `${hidden}px` : '';
    };
    view.addEventListener('resize', lift);
    view.addEventListener('scroll', lift);
    return () => {
      view.removeEventListener('resize', lift);
      view.removeEventListener('scroll', lift);
    };
  }, [element]);
}
