import { removalCalls } from '@atelier/contract/removal';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { serve } from '../../serve.ts';
import { getAgent } from '../agents/agents.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { deleteAccount } from './delete-account.service.ts';
import { deleteAgent } from './delete-agent.service.ts';
import { deleteExchange, deleteSessions } from './delete-session.service.ts';

export const removalRoutes = (deps: Deps) =>
  serve(removalCalls, {
    agent: async ({ caller, params }) => deleteAgent(deps, await getAgent(deps.db, caller.uid, params.agentId)),
    session: async ({ caller, params }) => {
      const { id } = await getSession(deps.db, caller.uid, params.sessionId);
      await deleteSessions(deps, caller.uid, [id]);
    },
    task: ({ caller, params }) => deleteExchange(deps, caller, params.sessionId, params.taskId),
    sessions: async ({ caller, body }) => {
      const deleted = await deleteSessions(deps, caller.uid, body.ids);
      if (deleted.length === 0) throw notFound('This session');
      return { deleted };
    },
    account: async ({ caller, body }) => {
      await deleteAccount(deps, caller, body);
      return { deleted: true as const };
    },
  });
