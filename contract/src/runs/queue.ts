import { z } from 'zod';
import { calls, create, get, ONCE, patch, post, remove } from '../calls.ts';
import { messageCreate, queuedAnswer, queuedMessage, taskEdit } from '../runs.ts';

/** How many messages may wait in one session. */
export const QUEUE_MAX = 10;

export const QUEUE_SENTENCES = {
  full: `At most ${QUEUE_MAX} messages can wait in a session. Wait until one is sent, or remove one.`,
  sent: 'This message has just been sent, so it can’t be changed any more.',
  stopped: 'You stopped the answer, so these messages wait for you.',
  failed: 'The answer failed, so these messages wait for you.',
  reset: 'The password was reset, so these messages wait for you.',
  interrupted: 'The server could not finish the answer, so these messages wait for you.',
} as const;

/** New words for a message that waits. */
export const queuedWords = taskEdit;

/** In the order in which they are sent. */
export const queueAnswer = z.object({ queue: z.array(queuedMessage) });

export const queueCalls = calls('/api/sessions/:sessionId/queue', {
  list: get('', 'listQueue', 'Messages that wait for an answer to end.', { answer: queueAnswer }),
  add: create('', 'queueMessage', 'Sends a message after the running answer.', {
    rate: 'messages',
    body: messageCreate,
    answer: queuedAnswer,
    headers: ONCE,
    fails: ['conflict'],
  }),
  send: post('/send', 'sendQueue', 'Lets a paused queue go on.', {
    rate: 'messages',
    status: 202,
    answer: queueAnswer,
  }),
  edit: patch('/:queuedId', 'editQueued', 'Changes a waiting message.', {
    body: queuedWords,
    answer: queuedAnswer,
    fails: ['conflict'],
  }),
  remove: remove('/:queuedId', 'removeQueued', 'Removes a waiting message.', { fails: ['conflict'] }),
  restore: post('/:queuedId/restore', 'restoreQueued', 'Takes a removal back.', {
    answer: queuedAnswer,
    fails: ['conflict'],
  }),
});
