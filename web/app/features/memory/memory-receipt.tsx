import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';
import type { ReactNode } from 'react';
import { MemoryActions } from './memory-actions.tsx';
import { MemoryItems } from './memory-items.tsx';
import { PartialNote } from './partial-note.tsx';

export interface MemoryChipProps {
  task: Task;
  /** More actions on a memory; `close` closes the list. */
  renderActions?: (item: MemoryItem, close: () => void) => ReactNode;
  /** Shows an answer's text as Markdown. */
  renderMarkdown: (text: string) => ReactNode;
}

/** The memories an answer used, with actions for each. */
export default function MemoryReceipt(props: MemoryChipProps & { onClose: () => void }) {
  const { task, renderActions, renderMarkdown, onClose } = props;
  return (
    <>
      <h3 className="mb-3 font-semibold">Context Retrieved</h3>
      <PartialNote task={task} />
      <MemoryItems
        items={task.memoryUsed}
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
    </>
  );
}
