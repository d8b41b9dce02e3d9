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

/** The memories an answer used, with actions for each. Those that the conversation holds anyway are folded. */
export default function MemoryReceipt(props: MemoryChipProps & { onClose: () => void }) {
  const { task, renderActions, renderMarkdown, onClose } = props;
  const items = byUse(task);
  // The one that made the answer is always in sight.
  const shown = items.filter((item, at) => at === 0 || !item.inConversation);
  const folded = items.filter((item) => !shown.includes(item));
  const list = (some: readonly MemoryItem[]) => (
    <MemoryItems
      items={some}
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
      {list(shown)}
      {folded.length > 0 && (
        <details className="mt-3 border-t pt-3">
          <summary className="text-muted text-sm touch:py-2.5">{folded.length} more in this conversation</summary>
          <div className="pt-2">{list(folded)}</div>
        </details>
      )}
    </>
  );
}
