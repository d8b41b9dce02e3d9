import { regenerate, taskEdit } from '@atelier/contract/runs';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import { idempotencyKey } from '../../platform/http/request-headers.ts';
import { validate } from '../../platform/http/validate.ts';
import { toSession } from '../sessions/sessions.service.ts';
import { chooseTask, editTask, regenerateTask, restoreTask } from './branches.service.ts';
import { continueInNewSession } from './continue.service.ts';
import { answerWithRun } from './runs.answer.ts';
import type { RunsContext } from './runs.start.service.ts';

/** What changes the tree of a session's exchanges; mounted at /api/sessions. Deleting one is in `removal`. */
export function branchesRoutes(deps: RunsContext) {
  return new Hono<AppEnv>()
    .post('/:sessionId/tasks/:taskId/edit', requires('user', 'messages'), validate('json', taskEdit), async (c) => {
      const key = idempotencyKey(c.req.header('idempotency-key'));
      const input = { ...c.req.valid('json'), idempotencyKey: key };
      return answerWithRun(deps, c, () => editTask(deps, c.get('caller'), c.req.param(), input));
    })
    .post(
      '/:sessionId/tasks/:taskId/regenerate',
      requires('user', 'messages'),
      validate('json', regenerate),
      async (c) => {
        const key = idempotencyKey(c.req.header('idempotency-key'));
        const input = { ...c.req.valid('json'), idempotencyKey: key };
        return answerWithRun(deps, c, () => regenerateTask(deps, c.get('caller'), c.req.param(), input));
      },
    )
    .put('/:sessionId/tasks/:taskId/choose', requires('user'), async (c) =>
      c.json({ task: await chooseTask(deps, c.get('caller'), c.req.param()) }),
    )
    .post('/:sessionId/tasks/:taskId/restore', requires('user'), async (c) =>
      c.json({ task: await restoreTask(deps, c.get('caller'), c.req.param()) }),
    )
    .post('/:sessionId/tasks/:taskId/continue', requires('user'), async (c) => {
      const session = await continueInNewSession(deps, c.get('caller'), c.req.param());
      return c.json({ session: toSession(session) }, 201);
    });
}
