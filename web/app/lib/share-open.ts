import { createShared } from '../ui/shared-value.ts';

/** A session to share, or one of its answers. */
export interface Shareable {
  sessionId: string;
  taskId?: string;
}

/** What the dialog shares, set from anywhere in the workspace; null while it is closed. */
export const shareOpen = createShared<Shareable | null>(null);
