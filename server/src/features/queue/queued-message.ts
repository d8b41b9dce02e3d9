import type { QueuedMessage } from '@atelier/contract/runs';
import { toAttachment } from '../attachments/attachments.service.ts';
import type { QueuedRow } from './queue.table.ts';

/** A waiting message for the API. */
export function toQueued(row: QueuedRow): QueuedMessage {
  const { id, sessionId, inputText, createdAt, reason } = row;
  const waits = reason === null ? 'waiting' : 'paused';
  return {
    id,
    sessionId,
    inputText,
    ...attached(row),
    createdAt: createdAt.toISOString(),
    state: row.removedAt !== null ? 'removed' : row.sendingAt !== null ? 'sending' : waits,
    ...(reason === null ? {} : { reason }),
  };
}

export const attached = ({ attachments, sessionId }: Pick<QueuedRow, 'attachments' | 'sessionId'>) =>
  attachments.length === 0 ? {} : { attachments: attachments.map((one) => toAttachment(one, sessionId)) };
