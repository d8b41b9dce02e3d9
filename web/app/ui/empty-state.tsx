import type { ReactNode } from 'react';

/** Content of an empty list: one sentence, and the action that fills it. */
export function EmptyState({ title, action }: { title: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-lg border border-edge border-dashed px-6 py-10 text-center">
      <p className="max-w-prose text-muted">{title}</p>
      {action}
    </div>
  );
}
