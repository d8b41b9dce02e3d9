import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';
import type { ReactNode } from 'react';
import { MemoryActions } from './memory-actions.tsx';
import { MemoryItems } from './memory-items.tsx';
import { PartialNote } from './partial-note.tsx';

export interface MemoryChipProps {
  task: Task;
  /** What else can be done with one of its memories; `close` closes the list. */
  renderActions?: (item: MemoryItem, close: () => void) => ReactNode;
}

/** What an answer was given, and what can be done with each memory. */
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
