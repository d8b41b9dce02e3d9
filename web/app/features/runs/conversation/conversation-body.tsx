import type { Agent } from '@atelier/contract/agents';
import { READY_AGENTS } from '@atelier/contract/agents/ready-agents';
import type { QueuedMessage, Task } from '@atelier/contract/runs';
import type { Session } from '@atelier/contract/sessions';
import { Suspense, useState } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { SeenName } from '../../../lib/names/seen-text.tsx';
import { Button } from '../../../ui/button.tsx';
import { InPieces } from '../../../ui/page/in-pieces.tsx';
import { part } from '../../../ui/part.tsx';
import { useAnswerFormat } from '../answer/answer-format.ts';
import { isAtLimit } from '../composer/limits.ts';
import type { useSending } from '../composer/use-sending.ts';
import type { ExchangeProps } from '../exchange/exchange.tsx';
import { OutgoingExchange } from '../exchange/outgoing-exchange.tsx';
import { useForgetOlder, type useTasks } from '../runs.api.ts';
import { Starters } from './starters.tsx';
import { Timeline } from './timeline.tsx';
import { TimelineSkeleton } from './timeline-skeleton.tsx';

// Few messages wait.
const QueuedMessages = part(() => import('../queue/queued-messages.tsx'));

export interface ConversationBodyProps
  extends Pick<ExchangeProps, 'mayRetry' | 'onContinue' | 'onEditing' | 'editArea' | 'renderMemory'> {
  editingId: string | undefined;
  soughtId: string | null;
  session: Session;
  query: ReturnType<typeof useTasks>;
  tasks: readonly Task[] | undefined;
  sending: ReturnType<typeof useSending>;
  /** Messages that wait for the running answer. */
  queue: readonly QueuedMessage[];
  /** Its agent, once it is known: an empty session shows its opening questions. */
  agent: Agent | undefined;
}

/** A session's timeline, or what replaces it while it loads or can't be loaded. */
export function ConversationBody({ session, query, tasks, sending, queue, agent, ...exchange }: ConversationBodyProps) {
  const offline = useAuth().me?.modelProvider.kind === 'offline';
  const forget = useForgetOlder(session.id);
  const { loaded } = useAnswerFormat();
  // Answers shown before they can be formatted would jump.
  if (!tasks || (!loaded && tasks.length > 0)) {
    return query.isLoadingError ? (
      <div className="mx-auto w-full max-w-3xl flex-1 p-4 sm:px-6">
        <LoadFailure of={query} />
      </div>
    ) : (
      <TimelineSkeleton />
    );
  }
  const { shown } = sending;
  return (
    <InPieces fallback={<TimelineSkeleton />}>
      <Timeline
        tasks={tasks}
        summary={query.data?.pages[0]?.summary ?? null}
        agentId={session.agentId}
        agentDeleted={session.agentDeleted}
        older={{
          has: query.hasNextPage,
          loading: query.isFetchingNextPage,
          load: () => void query.fetchNextPage(),
          forget,
        }}
        {...exchange}
      >
        {shown.map((send) => (
          <OutgoingExchange
            key={send.key}
            send={send}
            agentId={session.agentId}
            agentName={session.agentName}
            offline={offline}
            onAgain={() => sending.again(send)}
            onDismiss={() => sending.dismiss(send)}
          />
        ))}
        <Waiting sessionId={session.id} queue={queue} />
        {tasks.length === 0 && shown.length === 0 && (
          <EmptySession session={session} agent={agent} onSend={sending.say} />
        )}
        {shown.length === 0 && !session.agentDeleted && <AskBack tasks={tasks} onSend={sending.say} />}
      </Timeline>
    </InPieces>
  );
}

/** The messages that wait. It stays once there was one: the last may be sent while somebody edits it. */
function Waiting({ sessionId, queue }: { sessionId: string; queue: readonly QueuedMessage[] }) {
  const [used, setUsed] = useState(false);
  if (queue.length > 0 && !used) setUsed(true);
  return <Suspense>{used && <QueuedMessages sessionId={sessionId} queue={queue} />}</Suspense>;
}

function EmptySession(props: { session: Session; agent: Agent | undefined; onSend: (text: string) => void }) {
  const { session, agent, onSend } = props;
  const starters = agent?.starters ?? [];
  const { me } = useAuth();
  if (session.agentDeleted || (me && isAtLimit(me)))
    return <p className="py-16 text-center text-muted">This session has no messages.</p>;
  return (
    <div className="flex flex-col items-center gap-4 py-16">
      <p className="text-center text-muted">
        Nothing said yet. Write to <SeenName name={session.agentName} /> below.
      </p>
      <Starters starters={starters} onSend={onSend} />
    </div>
  );
}

/** After the opener of a ready agent has been answered: one press asks for what it said, and shows that the agent remembers. */
function AskBack({ tasks, onSend }: { tasks: readonly Task[]; onSend: (text: string) => void }) {
  const { me } = useAuth();
  const [first, ...later] = tasks;
  if (first?.status !== 'done' || later.length > 0 || (me && isAtLimit(me))) return null;
  const question = READY_AGENTS.find(({ opener }) => opener === first.inputText)?.askBack;
  if (question === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-4">
      <span className="text-muted text-sm">See whether it remembers:</span>
      <Button size="sm" className="font-normal" onClick={() => onSend(question)}>
        {question}
      </Button>
    </div>
  );
}
