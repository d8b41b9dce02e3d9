import type { MemoryItem } from '@atelier/contract/memory';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { memoryWords } from './memory-words.ts';
import { isRated, percent, speakerOf } from './receipt.ts';

export interface MemoryItemsProps {
  items: readonly MemoryItem[];
  agentName: string;
  /** The current session, which needs no link to itself. */
  sessionId: string;
  onFollow?: () => void;
  /** The actions below an item. */
  renderActions?: (item: MemoryItem) => ReactNode;
}

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The items of a receipt: what was recalled, who said it, where and when, and how well it matches. */
export function MemoryItems({ items, agentName, sessionId, onFollow, renderActions }: MemoryItemsProps) {
  return (
    <ul className="flex flex-col divide-y">
      {items.map((item) => (
        <li key={item.id} className="flex flex-col gap-0.5 py-2.5 first:pt-0 last:pb-0">
          {item.forgotten ? (
            <p className="text-muted italic">Forgotten</p>
          ) : (
            <p className="line-clamp-4 whitespace-pre-wrap">{memoryWords(item)}</p>
          )}
          <p className="flex flex-wrap items-baseline gap-x-2 text-muted text-sm">
            <span className="font-semibold">{speakerOf(item, agentName)}</span>
            <time dateTime={item.timestamp}>{when.format(new Date(item.timestamp))}</time>
            {item.pinned && <span>pinned</span>}
            {item.corrected && <span>corrected by you</span>}
            {item.supersededBy && <span>replaced by a later statement</span>}
            <Source item={item} sessionId={sessionId} onFollow={onFollow} />
            {isRated(item) && (
              <span className="ml-auto font-mono text-xs" title="How well it matches the question">
                {percent(item.score)}
              </span>
            )}
          </p>
          {renderActions && !item.forgotten && (
            <div className="-ml-3 flex flex-wrap items-center gap-1">{renderActions(item)}</div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Source({ item, sessionId, onFollow }: { item: MemoryItem; sessionId: string; onFollow?: () => void }) {
  if (item.kind === 'file' && item.fileName) {
    return (
      <span className="[overflow-wrap:anywhere]">
        {item.fileName}, {item.place}
      </span>
    );
  }
  if (!item.sessionId) return null;
  if (item.sessionId === sessionId) return <span>this session</span>;
  return (
    <Link
      to={`/runtime?sessionId=${item.sessionId}`}
      onClick={onFollow}
      className="text-ink underline underline-offset-2"
    >
      another session
    </Link>
  );
}
