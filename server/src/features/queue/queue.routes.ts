import { queuedWords } from '@atelier/contract/composer/queue';
import { messageCreate } from '@atelier/contract/runs';
import { type Context, Hono } from 'hono';
import { type AppEnv, proRequired, requires } from '../../access.ts';
import { idempotencyKey } from '../../platform/http/request-headers.ts';
import { validate } from '../../platform/http/validate.ts';
import type { RunsContext } from '../runs/runs.start.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { addQueued } from './add-queued.service.ts';
import { editQueued, removeQueued, restoreQueued } from './change-queued.service.ts';
import { keyOf, listQueue, releaseQueue } from './queue.service.ts';
import type { Queues } from './queues.service.ts';

/** Mounted at /api/sessions: the messages that wait for an answer to end. */
export function queueRoutes(deps: RunsContext, queues: Queues) {
  const sessionOf = (c: Context<AppEnv>) => getSession(deps.db, c.get('caller').uid, c.req.param('sessionId') ?? '');
  return new Hono<AppEnv>()
    .get('/:sessionId/queue', requires('user'), async (c) =>
      c.json({ queue: await listQueue(deps, await sessionOf(c)) }),
    )
    .post('/:sessionId/queue', requires('user', 'messages'), validate('json', messageCreate), async (c) => {
      if (c.req.valid('json').attachmentIds?.length && c.get('caller').plan !== 'pro')
        throw proRequired('An attachment');
      const session = await sessionOf(c);
      const key = idempotencyKey(c.req.header('idempotency-key'));
      const queued = await addQueued(deps, session, { ...c.req.valid('json'), idempotencyKey: key });
      // The answer may have ended before this message came.
      void queues.moveOn(keyOf(session));
      return c.json({ queued }, 201);
    })
    .post('/:sessionId/queue/send', requires('user', 'messages'), async (c) => {
      const session = await sessionOf(c);
      await releaseQueue(deps, session);
      await queues.moveOn(keyOf(session));
      return c.json({ queue: await listQueue(deps, session) }, 202);
    })
    .patch('/:sessionId/queue/:queuedId', requires('user'), validate('json', queuedWords), async (c) => {
      const { inputText } = c.req.valid('json');
      return c.json({ queued: await editQueued(deps, await sessionOf(c), c.req.param('queuedId'), inputText) });
    })
    .delete('/:sessionId/queue/:queuedId', requires('user'), async (c) => {
      await removeQueued(deps, await sessionOf(c), c.req.param('queuedId'));
      return c.body(null, 204);
    })
    .post('/:sessionId/queue/:queuedId/restore', requires('user'), async (c) => {
      const session = await sessionOf(c);
      const queued = await restoreQueued(deps, session, c.req.param('queuedId'));
      void queues.moveOn(keyOf(session));
      return c.json({ queued });
    });
}
