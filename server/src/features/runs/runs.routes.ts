import { pageQuery } from '@atelier/contract/ids';
import { askAgain as askAgainInput, isInFlight, runAgentTask, type Task, taskCreate } from '@atelier/contract/runs';
import { type Context, Hono } from 'hono';
import { type AppEnv, proRequired, requires } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { idempotencyKey, lastEventId } from '../../platform/http/request-headers.ts';
import { validate } from '../../platform/http/validate.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { answerWithRun, streamTask } from './runs.answer.ts';
import { cancelTask } from './runs.cancel.service.ts';
import { followTask, waitForTask } from './runs.follow.service.ts';
import { askAgain, expectQuestion, getTask, listTasks, retryTask } from './runs.service.ts';
import { type RunsContext, startTask } from './runs.start.service.ts';

/** Mounted at /api/sessions/:sessionId/tasks. */
export function runsRoutes(deps: RunsContext) {
  return new Hono<AppEnv>()
    .get('/:sessionId/tasks', requires('user'), validate('query', pageQuery), async (c) => {
      const caller = c.get('caller');
      const session = await getSession(deps.db, caller.uid, c.req.param('sessionId'));
      const query = c.req.valid('query');
      if (query.cursor === undefined) expectQuestion(deps, caller, session);
      return c.json(await listTasks(deps, session, query));
    })
    .post('/:sessionId/tasks', requires('user', 'messages'), validate('json', taskCreate), async (c) => {
      const caller = c.get('caller');
      const message = c.req.valid('json');
      if (message.attachmentIds?.length && caller.plan !== 'pro') throw proRequired('An attachment');
      const start = {
        ...message,
        sessionId: c.req.param('sessionId'),
        idempotencyKey: idempotencyKey(c.req.header('idempotency-key')),
      };
      return answerWithRun(deps, c, () => startTask(deps, caller, start));
    })
    .get('/:sessionId/tasks/:taskId', requires('user'), async (c) => {
      const { sessionId, taskId } = c.req.param();
      return c.json({ task: await getTask(deps, c.get('caller'), sessionId, taskId) });
    })
    .post('/:sessionId/tasks/:taskId/cancel', requires('user'), async (c) => {
      const { sessionId, taskId } = c.req.param();
      return c.json({ task: await cancelTask(deps, c.get('caller'), sessionId, taskId) }, 202);
    })
    .post('/:sessionId/tasks/:taskId/retry', requires('user', 'messages'), async (c) => {
      const { sessionId, taskId } = c.req.param();
      return answerWithRun(deps, c, () => retryTask(deps, c.get('caller'), sessionId, taskId));
    })
    .post(
      '/:sessionId/tasks/:taskId/ask-again',
      requires('user', 'messages'),
      validate('json', askAgainInput),
      async (c) => {
        const key = idempotencyKey(c.req.header('idempotency-key'));
        const input = { ...c.req.valid('json'), idempotencyKey: key };
        return answerWithRun(deps, c, () => askAgain(deps, c.get('caller'), c.req.param(), input));
      },
    )
    .get('/:sessionId/tasks/:taskId/events', requires('user'), async (c) => answerFollower(deps, c, c.req.param()));
}

async function answerFollower(deps: RunsContext, c: Context<AppEnv>, at: { sessionId: string; taskId: string }) {
  const { sessionId, taskId } = at;
  const caller = c.get('caller');
  const after = lastEventId(c.req.header('last-event-id'));
  const here = deps.runner.progressOf(caller.uid, taskId);
  const isHere = here?.sessionId === sessionId;
  const task = isHere ? (here.ended ?? undefined) : await getTask(deps, caller, sessionId, taskId);
  // This reader has seen the end: 204 tells an EventSource not to reconnect.
  if (task !== undefined && !isInFlight(task.status) && after >= task.seq) return c.body(null, 204);
  const leave = c.get('bounds').enter(caller.uid, 'streams');
  return streamTask(deps, c, { leave, follow: (signal) => followTask(deps, caller, taskId, after, signal, task) });
}

/**
 * Mounted at /api/runAgentTask: the same run, but the request waits for its end. An answer that was interrupted is one: its key gives the same
 * task for ever, so asking to try again would lead nowhere.
 */
export function runAgentTaskRoutes(deps: RunsContext) {
  return new Hono<AppEnv>().post('/', requires('user', 'messages'), validate('json', runAgentTask), async (c) => {
    const caller = c.get('caller');
    const { userId, ...input } = c.req.valid('json');
    if (userId !== undefined && userId !== caller.uid) {
      throw new AppError('forbidden', 'userId must be the signed-in user.', { field: 'userId' });
    }
    const key = idempotencyKey(c.req.header('idempotency-key'));
    const { id } = await startTask(deps, caller, { ...input, idempotencyKey: key });
    const task = await waitForTask(deps, caller, id, c.req.raw.signal);
    if (task === null) throw new AppError('unavailable', 'The request ended before the answer did.');
    if (task.status === 'failed') throw new AppError('provider_failed', task.error ?? '');
    return c.json({ task, memoryUsed: memoryText(task) });
  });
}

const memoryText = (task: Task) => task.memoryUsed.map((item) => item.text.replaceAll(/\s+/g, ' ')).join('\n');
