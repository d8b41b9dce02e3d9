import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useAgents } from '../../features/agents/agents.api.ts';
import { ModelMenu } from '../../features/agents/model-menu.tsx';
import { attachFiles } from '../../features/runs/attachments/use-attachments.ts';
import { Composer } from '../../features/runs/composer/composer.tsx';
import { LimitBanner } from '../../features/runs/composer/limit-banner.tsx';
import { isAtLimit } from '../../features/runs/composer/limits.ts';
import { NEW_SESSION } from '../../features/runs/composer/run-stores.ts';
import { Starters } from '../../features/runs/conversation/starters.tsx';
import { useShortcuts } from '../../features/runs/conversation/use-shortcuts.ts';
import { lastUsedFirst, latestSessions } from '../../features/sessions/session-pages.ts';
import { useSessions } from '../../features/sessions/sessions.api.ts';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { useAuth } from '../../lib/auth.tsx';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { toastFailure } from '../../lib/toast-error.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { isEngaged } from '../../ui/focus/is-engaged.ts';
import { ChevronDown } from '../../ui/icons/lucide.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { MessageExtras } from './message-extras.tsx';
import { NewChatSkeleton } from './new-chat-skeleton.tsx';
import { AgentRows, SessionRows } from './start-rows.tsx';
import { carryWords, useFirstMessage } from './use-first-message.ts';

export interface NewChatProps {
  /** Opens the choice of all agents. */
  onPick: () => void;
  onEdit: (agent: Agent) => void;
}

/** A message for one of the person's agents, which makes its session; and the ways back to agents and sessions. */
export default function NewChat({ onPick, onEdit }: NewChatProps) {
  const agents = useAgents();
  const sessions = useSessions();
  const wanted = useSearchParams()[0].get('agent');
  if (!agents.data && agents.isError) return <LoadFailure of={agents} />;
  if (!agents.data || sessions.isPending) return <NewChatSkeleton />;
  const latest = latestSessions(sessions.data?.pages ?? []);
  const ordered = lastUsedFirst(agents.data, latest);
  const agent = wanted === null ? ordered[0] : ordered.find(({ id }) => id === wanted);
  return (
    <>
      <FirstMessage agent={agent} onPick={onPick} />
      <AgentRows agents={ordered} chosenId={agent?.id} onAll={onPick} onEdit={onEdit} />
      <SessionRows sessions={latest} />
    </>
  );
}

function FirstMessage({ agent, onPick }: { agent: Agent | undefined; onPick: () => void }) {
  const { me } = useAuth();
  const { start, say, starting } = useFirstMessage();
  const { isFull } = useStartChat();
  const field = useRef<HTMLTextAreaElement>(null);
  useFreshFocus(field);
  useShortcuts(field, undefined);
  const begin = (fill: Parameters<typeof start>[1]) => {
    if (agent === undefined) toast.error(SENTENCES.noAgentSelected);
    else start(() => agent.id, fill).catch((error: unknown) => toastFailure(error, SENTENCES.sessionFailed));
  };
  const send = (text: string) =>
    begin((session) => {
      carryWords(session.id, text);
      say(session, text);
    });
  const onFiles = async (files: readonly File[]) => {
    begin(async ({ id }) => {
      carryWords(id);
      const problem = await attachFiles(id, files);
      if (problem !== undefined) toast.error(problem);
    });
    return undefined;
  };
  return (
    <section aria-label="New session" className="flex flex-col gap-2">
      {agent === undefined && (
        <Banner tone="info" role="status">
          This agent was not found. It may have been deleted.
        </Banner>
      )}
      <AgentChoice agent={agent} onPick={onPick} />
      {me && isAtLimit(me) ? (
        <LimitBanner />
      ) : (
        <>
          {isFull && <LimitBanner sentence="All your free sessions are in use. Go on with one or delete one." />}
          <Composer
            sessionId={NEW_SESSION}
            agentName={agent?.name ?? 'an agent'}
            model={agent?.model}
            field={field}
            busy={starting}
            queues={false}
            waiting={false}
            stopping={false}
            onSend={send}
            onFiles={onFiles}
            onEditLast={() => {}}
            extras={agent && <MessageExtras sessionId={NEW_SESSION} agentId={agent.id} onFiles={onFiles} />}
          />
          <Starters starters={agent?.starters ?? []} onSend={send} />
        </>
      )}
    </section>
  );
}

/** Whom the message is for, and by which model; a press opens the choice. */
function AgentChoice({ agent, onPick }: { agent: Agent | undefined; onPick: () => void }) {
  return (
    <div className="flex min-w-0 items-center gap-1">
      <Button aria-haspopup="dialog" onClick={onPick} className="min-w-0 max-w-full">
        {agent && <AgentMark id={agent.id} size={20} />}
        <span className="sr-only">Agent: </span>
        <span className="min-w-0 truncate">{agent ? <SeenName name={agent.name} /> : 'Choose an agent'}</span>
        <ChevronDown className="size-4 shrink-0" />
      </Button>
      {agent && <ModelMenu key={agent.id} agent={agent} className="max-w-2/5 shrink-0 font-normal! text-muted!" />}
    </div>
  );
}

/** Who came here to write finds the cursor in the field, after words that wait there, unless they are at something else when it appears. */
function useFreshFocus(field: RefObject<HTMLTextAreaElement | null>) {
  const { key, state } = useLocation();
  const fresh = state?.fresh === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival has a key of its own
  useEffect(() => {
    if (!fresh || isEngaged() || field.current === null) return;
    field.current.focus();
    field.current.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [key, fresh, field]);
}
