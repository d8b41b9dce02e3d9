import * as queue from '@atelier/contract/composer/queue';
import * as runs from '@atelier/contract/runs';
import * as sessions from '@atelier/contract/sessions';
import { json, nothing, ONCE, type Operation, other } from '../platform/http/operation.ts';

const FOLLOW = { 'Last-Event-ID': 'The number of the last event you have; the stream continues after it.' };

/** Of a call that may not fit what is there now. */
const CONFLICTS = { fails: ['conflict'] } satisfies Partial<Operation>;
/** Of a call that sends a message in place of another. */
const BEGUN = { status: 202, fails: ['limit_reached', 'conflict'], mayStream: true } satisfies Partial<Operation>;
const SENT = { ...BEGUN, headers: ONCE };

/** A call that answers one exchange. */
const exchange = (id: string, summary: string, more?: Parameters<typeof json>[3]) =>
  json(id, summary, runs.taskAnswer, more);

/** Sessions, answers, and what is remembered of them. */
export const SESSIONS: [call: string, Operation][] = Object.entries({
  'GET /api/sessions/{sessionId}/tasks': json(
    'listTasks',
    'The exchanges on a session’s chosen path.',
    runs.tasksAnswer,
  ),
  'POST /api/sessions/{sessionId}/tasks': exchange('startTask', 'Sends a message; the answer is followed.', {
    ...SENT,
    description:
      'With `Accept: text/event-stream`, as for each call that begins an answer: first `task`, then its events.',
    fails: ['limit_reached', 'pro_required', 'conflict'],
  }),
  'GET /api/sessions/{sessionId}/tasks/{taskId}': exchange('getTask', 'One exchange.'),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/restore': exchange(
    'restoreTask',
    'Takes the deletion of an exchange back.',
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/edit': exchange(
    'editTask',
    'Sends other words in place of a message; both stay, as siblings.',
    SENT,
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/regenerate': exchange(
    'regenerateTask',
    'Has a message answered again; both answers stay, as siblings.',
    SENT,
  ),
  'PUT /api/sessions/{sessionId}/tasks/{taskId}/choose': exchange(
    'chooseTask',
    'Makes the path through an exchange the chosen one.',
    CONFLICTS,
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/continue': json(
    'continueInNewSession',
    'Opens a new session with a copy of everything up to an exchange.',
    sessions.sessionAnswer,
    { status: 201, fails: ['limit_reached', 'conflict'] },
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/cancel': exchange('cancelTask', 'Stops an answer.', { status: 202 }),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/retry': exchange('retryTask', 'Asks again after a failure.', BEGUN),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/ask-again': exchange(
    'askAgain',
    'Asks again without some memories.',
    SENT,
  ),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/approve': exchange('approveCall', 'Decides about a tool call.', {
    status: 202,
    fails: ['conflict'],
  }),
  'POST /api/sessions/{sessionId}/tasks/{taskId}/answer': exchange(
    'answerToolServer',
    'Answers what a tool’s server asks.',
    { status: 202, fails: ['conflict'] },
  ),
  'GET /api/sessions/{sessionId}/tasks/{taskId}/media/{mediaId}': other(
    'getToolMedia',
    'A picture, a sound or a file that a tool answered.',
    '*/*',
    {
      download: true,
    },
  ),
  'GET /api/sessions/{sessionId}/tasks/{taskId}/events': other(
    'followTask',
    'An answer as it is written.',
    'text/event-stream',
    {
      headers: FOLLOW,
      mayBeEmpty: 204,
      description:
        'Events: `memory`, `delta`, `thought`, `tool`, `wait`, and last `done` with the whole task. 204 once you have seen its end.',
    },
  ),
  'GET /api/sessions/{sessionId}/queue': json(
    'listQueue',
    'Messages that wait for an answer to end.',
    queue.queueAnswer,
  ),
  'POST /api/sessions/{sessionId}/queue': json(
    'queueMessage',
    'Sends a message after the running answer.',
    queue.queuedAnswer,
    {
      status: 201,
      headers: ONCE,
      fails: ['conflict'],
    },
  ),
  'POST /api/sessions/{sessionId}/queue/send': json('sendQueue', 'Lets a paused queue go on.', queue.queueAnswer, {
    status: 202,
  }),
  'PATCH /api/sessions/{sessionId}/queue/{queuedId}': json(
    'editQueued',
    'Changes a waiting message.',
    queue.queuedAnswer,
    CONFLICTS,
  ),
  'DELETE /api/sessions/{sessionId}/queue/{queuedId}': nothing('removeQueued', 'Removes a waiting message.', CONFLICTS),
  'POST /api/sessions/{sessionId}/queue/{queuedId}/restore': json(
    'restoreQueued',
    'Takes a removal back.',
    queue.queuedAnswer,
    CONFLICTS,
  ),
  'POST /api/runAgentTask': json('runAgentTask', 'Sends a message and waits for the answer.', runs.runAgentTaskAnswer, {
    headers: ONCE,
    fails: ['limit_reached', 'not_found', 'conflict', 'provider_failed'],
  }),
  'GET /api/live': other('followChanges', 'What changes, as it changes.', 'text/event-stream', {
    description: 'Events: `hello` first, then `changed`, `memory`, `delta`, `thought`, `tool`, `wait` and `done`.',
  }),
});
