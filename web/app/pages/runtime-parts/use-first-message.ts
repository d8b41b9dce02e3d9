import type { Session } from '@atelier/contract/sessions';
import { failSend, isUnanswered } from '../../features/runs/composer/outbox.ts';
import { drafts, NEW_SESSION, outbox } from '../../features/runs/composer/run-stores.ts';
import { usePost } from '../../features/runs/composer/sender.ts';
import { useCreateSession } from '../../features/sessions/sessions.api.ts';
import { ApiError } from '../../lib/http.ts';
import { useNavigateAfter } from '../../lib/navigate-after.ts';
import { createShared } from '../../ui/shared-value.ts';

/** Also for who has left the page meanwhile and comes back: the words still stand there. */
const isStarting = createShared(false);

/** Makes the session that something is said or attached in, and opens it. */
export function useFirstMessage() {
  const navigateAfter = useNavigateAfter();
  const create = useCreateSession();
  const post = usePost();
  const starting = isStarting.useValue();

  /** `getAgentId` may make the agent first. Rejects when there is no session; until there is one, the words stay where they were typed. */
  const start = async (getAgentId: () => Promise<string> | string, begin: (session: Session) => void) => {
    if (isStarting.read()) return;
    isStarting.set(true);
    const open = navigateAfter();
    try {
      const agentId = await getAgentId();
      // A session whose creation was not answered is there perhaps: asked for again, it is the same.
      const draft = outbox.begin(NEW_SESSION, { agentId, inputText: agentId, afterTaskId: null });
      const session = await create.mutateAsync({ agentId, key: draft.key }).catch((error: unknown) => {
        if (error instanceof ApiError && !isUnanswered(error.status)) outbox.remove(NEW_SESSION, draft.key);
        else outbox.put(NEW_SESSION, failSend(draft, '', false, true));
        throw error;
      });
      outbox.remove(NEW_SESSION, draft.key);
      begin(session);
      open(`/runtime?sessionId=${session.id}`, { state: { fresh: true } });
    } finally {
      isStarting.set(false);
    }
  };
  const say = (session: Session, inputText: string) =>
    post(session.id, { agentId: session.agentId, inputText, attachments: [], afterTaskId: null });
  return { start, say, starting };
}

/** Moves what was typed before there was a session into its composer, but what was sent. */
export function carryWords(sessionId: string, sent = ''): void {
  drafts.take(NEW_SESSION, sent);
  drafts.write(sessionId, drafts.read(NEW_SESSION));
  drafts.write(NEW_SESSION, '');
}
