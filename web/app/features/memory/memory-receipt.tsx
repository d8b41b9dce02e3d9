import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';
import type { ReactNode } from 'react';
import { MemoryActions } from './memory-actions.tsx';
import { MemoryItems } from './memory-items.tsx';
import { PartialNote } from './partial-note.tsx';
import { byUse } from './receipt.ts';

export interface MemoryChipProps {
  task: Task;
  /** More actions on a memory; `close` closes the list. */
  renderActions?: (item: MemoryItem, close: () => void) => ReactNode;
  /** Shows an answer's text as Markdown. */
  renderMarkdown: (text: string) => ReactNode;
}

/** The memories an answer used, with actions for each. Those that the conversation holds anyway are folded, where there are others. */
export default function MemoryReceipt(props: MemoryChipProps & { onClose: () => void }) {
  const { task, renderActions, renderMarkdown, onClose } = props;
  const items = byUse(task);
  const fresh = items.filter((item) => !item.inConversation);
  const held = items.filter((item) => item.inConversation);
  const list = (shown: readonly MemoryItem[]) => (
    <MemoryItems
      items={shown}
      agentName={task.agentName}
      sessionId={task.sessionId}
      onFollow={onClose}
      renderMarkdown={renderMarkdown}
      renderActions={(item) => (
        <>
          {renderActions?.(item, onClose)}
          <MemoryActions item={item} />
        </>
      )}
    />
  );
  return (
    <>
      <h3 className="mb-3 font-semibold">Context Retrieved</h3>
      <PartialNote task={task} />
      {fresh.length > 0 && list(fresh)}
      {held.length > 0 && (
        <details open={fresh.length === 0} className="mt-3 border-t pt-3">
          <summary className="text-muted text-sm touch:py-2.5">{held.length} in this conversation</summary>
          <div className="pt-2">{list(held)}</div>
        </details>
      )}
    </>
  );
}
