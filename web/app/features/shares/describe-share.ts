import type { Share } from '@atelier/contract/shares';

/** What a link shows, in a few words: `The session, 3 messages so far · with what the answers used`. */
export function describeShare({ taskId, follows, exchanges, withReceipts }: Share): string {
  const receipts = withReceipts ? ' · with what the answers used' : '';
  if (taskId !== null) return `One answer${receipts}`;
  if (follows) return `The session, later messages too${receipts}`;
  return `The session, ${exchanges === 1 ? 'one exchange' : `${exchanges} exchanges`}${receipts}`;
}
