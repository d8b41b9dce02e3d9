import { queueCalls } from '@atelier/contract/runs/queue';
import { type Caller, proRequired } from '../../access.ts';
import { idempotencyKey } from '../../platform/http/request-headers.ts';
import { serve } from '../../serve.ts';
import type { DepsWithRunner } from '../runs/runs.start.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { addQueued } from './add-queued.service.ts';
import { editQueued, listQueue, releaseQueue, removeQueued, restoreQueued, sessionKeyOf } from './queue.service.ts';
import type { Queues } from './send-queued.service.ts';

/** The messages that wait for an answer to end. */
export function queueRoutes(deps: DepsWithRunner, queues: Queues) {
  const sessionOf = ({ uid }: Caller, { sessionId }: { sessionId: string }) => getSession(deps.db, uid, sessionId);
  return serve(queueCalls, {
    list: async ({ caller, params }) => ({ queue: await listQueue(deps, await sessionOf(caller, params)) }),
    add: async ({ c, caller, params, body }) => {
      if (body.attachmentIds?.length && caller.plan !== 'pro') throw proRequired('An attachment');
      const message = { ...body, idempotencyKey: idempotencyKey(c) };
      return { queued: await addQueued(deps, queues, await sessionOf(caller, params), message) };
    },
    send: async ({ caller, params }) => {
      const session = await sessionOf(caller, params);
      await releaseQueue(deps, session);
      await queues.moveOn(sessionKeyOf(session));
      return { queue: await listQueue(deps, session) };
    },
    edit: async ({ caller, params, body }) => {
      const session = await sessionOf(caller, params);
      return { queued: await editQueued(deps, session, params.queuedId, body.inputText) };
    },
    remove: async ({ caller, params }) => removeQueued(deps, await sessionOf(caller, params), params.queuedId),
    restore: async ({ caller, params }) => {
      const session = await sessionOf(caller, params);
      const queued = await restoreQueued(deps, session, params.queuedId);
      void queues.moveOn(sessionKeyOf(session));
      return { queued };
    },
  });
}
