import { approval, toolAnswer } from '@atelier/contract/tools';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { validate } from '../../platform/http/validate.ts';
import { answerServer, approveCall } from './runs.decide.service.ts';
import { getMedia } from './runs.media.service.ts';

/** What concerns the tool calls of a task; mounted at /api/sessions/:sessionId/tasks. */
export function callsRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .post('/:sessionId/tasks/:taskId/approve', requires('pro'), validate('json', approval), async (c) => {
      const task = await approveCall(deps, c.get('caller'), c.req.param(), c.req.valid('json'));
      return c.json({ task }, 202);
    })
    .post('/:sessionId/tasks/:taskId/answer', requires('pro'), validate('json', toolAnswer), async (c) => {
      const task = await answerServer(deps, c.get('caller'), c.req.param(), c.req.valid('json'));
      return c.json({ task }, 202);
    })
    .get('/:sessionId/tasks/:taskId/media/:mediaId', requires('user'), async (c) => {
      const { type, bytes } = await getMedia(deps, c.get('caller'), c.req.param());
      // A page shows it as a picture or a sound only; opened by itself, it can do nothing.
      return c.body(new Uint8Array(bytes), 200, {
        'content-type': type,
        'content-disposition': 'attachment; filename="answer"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': FOREIGN_CONTENT,
      });
    });
}
