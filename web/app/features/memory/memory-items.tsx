import type { MemoryItem } from '@atelier/contract/memory';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { exchangePath } from '../../lib/addresses.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { Time } from '../../ui/list/time.tsx';
import { isMarkdown } from './memory-words.ts';
import { isRated, matchOf, percent, speakerOf } from './receipt.ts';

export interface MemoryItemsProps {
  items: readonly MemoryItem[];
  agentName: string;
  /** The current session. */
  sessionId: string;
  onFollow?: () => void;
  /** Shows a text as Markdown. */
  renderMarkdown: (text: string) => ReactNode;
  /** The actions below an item. */
  renderActions?: (item: MemoryItem) => ReactNode;
}

/** The items of a receipt: what was recalled, who said it, where and when, and how well it matches. */
export function MemoryItems({ items, agentName, sessionId, onFollow, ...render }: MemoryItemsProps) {
  const { renderMarkdown, renderActions } = render;
  return (
    <ul className="flex flex-col divide-y">
      {items.map((item) => (
        <li key={item.id} className="flex flex-col gap-0.5 py-2.5 first:pt-0 last:pb-0">
          {item.forgotten ? (
            <p className="text-muted italic">Forgotten</p>
          ) : (
            <Words item={item} renderMarkdown={renderMarkdown} />
          )}
          <p className="flex flex-wrap items-baseline gap-x-2 text-muted text-sm">
            <span className="font-semibold">{speakerOf(item, agentName)}</span>
            <Time at={item.timestamp} />
            {item.pinned && <span>pinned</span>}
            {item.corrected && <span>corrected by you</span>}
            {item.supersededBy && <span>replaced by a later statement</span>}
            {item.inConversation && <span>in this conversation</span>}
            <Source item={item} sessionId={sessionId} onFollow={onFollow} />
            {isRated(item) && (
              <span className="ml-auto" title={`Matches the question: ${percent(item.score)}`}>
                {matchOf(item.score)}
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

/** A person's words as typed; of an answer or a Markdown file, what its Markdown says. */
function Words({ item, renderMarkdown }: { item: MemoryItem; renderMarkdown: (text: string) => ReactNode }) {
  if (!isMarkdown(item)) return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{item.text}</p>;
  return <div className="[overflow-wrap:anywhere]">{renderMarkdown(item.text)}</div>;
}

function Source({ item, sessionId, onFollow }: { item: MemoryItem; sessionId: string; onFollow?: () => void }) {
  if (item.kind === 'file' && item.fileName) {
    return (
      <span className="[overflow-wrap:anywhere]">
        <SeenName name={item.fileName} />, {item.place}
      </span>
    );
  }
  if (!item.sessionId) return null;
  const isHere = item.sessionId === sessionId;
  return (
    <>
      {isHere && !item.inConversation && <span>this session</span>}
      {(!isHere || item.taskId) && (
        <Link
          to={exchangePath(item.sessionId, item.taskId)}
          onClick={onFollow}
          className="text-ink underline underline-offset-2"
        >
          {item.taskId ? 'whole message' : 'another session'}
        </Link>
      )}
    </>
  );
}
