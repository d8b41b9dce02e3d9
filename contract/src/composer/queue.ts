import { z } from 'zod';
import { attachment } from '../attachments/attachments.ts';
import { instant } from '../ids.ts';
import { taskEdit } from '../runs.ts';

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

/**
 * A message that waits for the running answer to end. `waiting`: it is sent by itself. `paused`: it waits for the person, `reason` says
 * why. `sending`: it is being sent. `sent` and `removed` answer a repeated request only.
 */
export const queuedMessage = z.object({
  id: z.string(),
  sessionId: z.string(),
  inputText: z.string(),
  /** Pictures and files of the message. */
  attachments: z.array(attachment).optional(),
  createdAt: instant,
  state: z.enum(['waiting', 'paused', 'sending', 'sent', 'removed']),
  reason: z.string().optional(),
});
export type QueuedMessage = z.infer<typeof queuedMessage>;

export const queuedAnswer = z.object({ queued: queuedMessage });
/** In the order in which they are sent. */
export const queueAnswer = z.object({ queue: z.array(queuedMessage) });
