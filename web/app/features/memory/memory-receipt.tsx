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
}

/** The memories an answer used, with actions for each. */
export default function MemoryReceipt({ task, renderActions, onClose }: MemoryChipProps & { onClose: () => void }) {
  return (
    <>
      <h3 className="mb-3 font-semibold">Context Retrieved</h3>
      <PartialNote task={task} />
      <MemoryItems
        items={task.memoryUsed}
        agentName={task.agentName}
        sessionId={task.sessionId}
        onFollow={onClose}
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
