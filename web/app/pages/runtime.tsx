import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import type { Session } from '@atelier/contract/sessions';
import { type ComponentProps, Suspense, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { readOpenAgent } from '../features/agents/agent-left-open.ts';
import { useAgents } from '../features/agents/agents.api.ts';
import { ModelMenu } from '../features/agents/model-menu.tsx';
import { fetchAnswerFormat } from '../features/runs/answer/answer-format.ts';
import { ModelBadge, RunFooter } from '../features/runs/composer/run-footer.tsx';
import { TimelineSkeleton } from '../features/runs/conversation/timeline-skeleton.tsx';
import { usePrefetchTasks, useRunEvents } from '../features/runs/runs.api.ts';
import { NoSession } from '../features/sessions/no-session.tsx';
import { lastUsedFirst, latestSessions, type Selection } from '../features/sessions/session-pages.ts';
import { SessionTitle } from '../features/sessions/session-title.tsx';
import { useSessions } from '../features/sessions/sessions.api.ts';
import { useSelection } from '../features/sessions/use-selection.ts';
import { useStartChat } from '../features/sessions/use-start-chat.ts';
import { ShareButton } from '../features/shares/share-button.tsx';
import { RequireUser, useAuth } from '../lib/auth.tsx';
import { SeenName } from '../lib/names/seen-text.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { useWishes } from '../lib/wishes.ts';
import { Button } from '../ui/button.tsx';
import { later } from '../ui/later.tsx';
import { toast } from '../ui/overlay/toast.tsx';
import { InUnsavedArea, useUnsavedArea } from '../ui/overlay/unsaved.tsx';
import { part, useReady } from '../ui/part.tsx';
import { whenIdle } from '../ui/when-idle.ts';
import { SignedInFrame } from './frame-parts/signed-in-frame.tsx';
import { NewChatSkeleton } from './runtime-parts/new-chat-skeleton.tsx';

// Loaded later, because it is opened later.
const PickAgentDialog = later(() => import('../features/sessions/pick-agent-dialog.tsx'));
const FirstMinute = part(() => import('./runtime-parts/first-minute.tsx'));
const NewChat = part(() => import('./runtime-parts/new-chat.tsx'));
const AgentDialog = later(() => import('./runtime-parts/runtime-agent-dialog.tsx'));

// Opening a session needs the conversation and the formatter; they load together with the exchanges.
const Conversation = part(() => import('./runtime-parts/runtime-conversation.tsx'));
const loadConversation = () => void Conversation.load().then(fetchAnswerFormat, () => undefined);
if (typeof location !== 'undefined') {
  if (location.search.includes('sessionId=')) {
    fetchAnswerFormat();
    loadConversation();
  } else void NewChat.load().catch(() => undefined);
}

export const meta = () => ownPageMeta('Runtime');

/** /runtime: the workspace to create agents and talk with them. */
export default function RuntimePage() {
  return (
    <RequireUser>
      <Runtime />
    </RequireUser>
  );
}

/** Which dialog is open. */
type Open = 'none' | 'pick' | 'create' | 'edit';

/**
 * The open dialog, and the agent to edit, as it was then. Both belong to the current session, and close with it. `area` is around the agent's
 * form: what the palette opens above it takes its place, once nothing would be lost.
 */
function useOpenDialog(sessionId: string | null) {
  const [opened, setOpened] = useState<{ at: string | null; open: Open; agent?: Agent }>(() => {
    const openAgent = readOpenAgent();
    if (openAgent === undefined) return { at: null, open: 'none' };
    return { at: sessionId, ...(openAgent === null ? { open: 'create' } : { open: 'edit', agent: openAgent }) };
  });
  const { open, agent } = opened.at === sessionId ? opened : { open: 'none' as const, agent: undefined };
  const area = useUnsavedArea();
  const setOpen = (next: Open, of?: Agent) => {
    const show = () => setOpened({ at: sessionId, open: next, agent: of });
    // What closes it has asked already.
    if (next === 'none') show();
    else if (next !== open || of?.id !== agent?.id) area.leave(show);
  };
  return { open, edited: agent, setOpen, area };
}

const WISHES = ['new-session', 'create-agent', 'edit-agent'] as const;

function Runtime() {
  const { me } = useAuth();
  useRunEvents();
  useEffect(() => {
    // Said from the first paint until here, by the page that loads.
    delete document.documentElement.dataset.noSession;
    return whenIdle(loadConversation);
  }, []);
  const [search] = useSearchParams();
  const sessionId = search.get('sessionId');
  const selection = useSelection(sessionId);
  const session = selection.state === 'selected' ? selection.session : undefined;
  usePrefetchTasks(session?.id);
  const agents = useAgents();
  const { open, edited, setOpen, area } = useOpenDialog(sessionId);
  const latest = latestSessions(useSessions().data?.pages ?? []);
  const chat = useStartChat();
  const agent = session && !session.agentDeleted ? agents.data?.find((a) => a.id === session.agentId) : undefined;
  // People who never created an agent see suggestions at once; those who deleted theirs, once it is known that none is left.
  const isNew = agents.data ? agents.data.length === 0 : me?.account.agentsCreated === 0;
  const fresh = useLocation().state?.fresh === true;

  const lacksAgent = open === 'pick' && agents.data?.length === 0;
  useEffect(() => {
    if (lacksAgent) toast.warning(SENTENCES.noAgents);
  }, [lacksAgent]);
  useWishes(WISHES, (wish) => {
    if (wish === 'new-session') setOpen('pick');
    else if (wish === 'edit-agent' && agent) setOpen('edit', agent);
    else setOpen('create');
  });
  return (
    <SignedInFrame
      header={
        <Header
          session={session}
          heading={HEADINGS[selection.state]}
          agent={agent}
          isLoading={awaitsAgent(selection, agents.isPending)}
          onAgent={() => setOpen(agent ? 'edit' : 'create', agent)}
        />
      }
    >
      {session ? (
        <OpenSession key={session.id} session={session} agent={agent} fresh={fresh} soughtId={search.get('taskId')} />
      ) : selection.state === 'loading' ? (
        <TimelineSkeleton />
      ) : (
        <NoSession selection={selection}>
          {isNew ? (
            <NewHere onCreate={() => setOpen('create')} />
          ) : (
            <Suspense fallback={<NewChatSkeleton />}>
              <NewChat onPick={() => setOpen('pick')} onEdit={(own) => setOpen('edit', own)} />
            </Suspense>
          )}
        </NoSession>
      )}
      <RunFooter />
      <PickAgentDialog
        open={open === 'pick'}
        onOpenChange={(next) => setOpen(next ? 'pick' : 'none')}
        agents={agents.data && lastUsedFirst(agents.data, latest)}
        query={agents}
        onCreateAgent={() => setOpen('create')}
        onPick={(picked) => {
          setOpen('none');
          chat.start(picked);
        }}
      />
      <InUnsavedArea value={area}>
        <AgentDialog
          open={open === 'create' || open === 'edit'}
          onOpenChange={(next) => !next && setOpen('none')}
          agent={edited}
          onSaved={(stored) => open === 'create' && chat.open(stored)}
        />
      </InUnsavedArea>
    </SignedInFrame>
  );
}

const OpenSession = (props: ComponentProps<typeof Conversation>) =>
  useReady(Conversation, true) ? (
    <Suspense fallback={<TimelineSkeleton />}>
      <Conversation {...props} />
    </Suspense>
  ) : (
    <TimelineSkeleton />
  );

/** For somebody without agents: make one, or start with one that is ready. */
const NewHere = ({ onCreate }: { onCreate: () => void }) => (
  <>
    <Button variant="primary" className="self-center" onClick={onCreate}>
      Create Agent
    </Button>
    <Suspense>
      <FirstMinute />
    </Suspense>
  </>
);

/** Whether it is still unknown which agent the session in the address has. */
function awaitsAgent(selection: Selection, isPending: boolean): boolean {
  return selection.state === 'selected' ? isPending && !selection.session.agentDeleted : selection.state === 'loading';
}

/** What the header says without a session. */
const HEADINGS: Record<Selection['state'], string> = {
  none: SENTENCES.noSessionHeader,
  loading: 'Loading the session',
  failed: 'Session not loaded',
  unknown: 'Session not found',
  selected: '',
};

interface HeaderProps {
  session: Session | undefined;
  /** Stands in its place. */
  heading: string;
  /** The session's agent, if it can be edited. */
  agent: Agent | undefined;
  isLoading: boolean;
  onAgent: () => void;
}

/** As quiet as the title beside it, and no higher: what a finger needs more lies over its surroundings. */
const modelClass = 'max-w-2/5 shrink-0 gap-1! px-2! font-normal! text-muted! -my-1';

function Header({ session, heading, agent, isLoading, onAgent }: HeaderProps) {
  return (
    <>
      {/* On a phone the session's title has a line of its own, below the buttons. */}
      <div className="contents min-w-0 flex-1 sm:block">
        <h1 className="line-clamp-2 min-w-0 flex-1 font-semibold leading-5 sm:text-lg">
          {session ? (
            <>
              Session with: <SeenName name={session.agentName} />
            </>
          ) : (
            heading
          )}
        </h1>
        {/* Without a session it only loads where one is named in the address. */}
        {session ? (
          <SessionTitle key={session.id} session={session}>
            {agent && <ModelMenu key={agent.id} agent={agent} className={modelClass} />}
          </SessionTitle>
        ) : (
          isLoading && <span className="order-last h-9 basis-full max-[24rem]:h-11 sm:hidden" />
        )}
      </div>
      <ModelBadge className="hidden sm:inline-flex" />
      {session && (
        // On the narrowest it stands beside the title: above, the agent's name needs the room.
        <span className="max-[24rem]:order-last">
          <ShareButton shared={{ sessionId: session.id }} label="Share session" size="md" />
        </span>
      )}
      <Button className="shrink-0" disabled={isLoading} onClick={onAgent}>
        {/* While it loads, the words that most probably stay. */}
        {agent || isLoading ? 'Edit Agent' : 'Create Agent'}
      </Button>
    </>
  );
}
