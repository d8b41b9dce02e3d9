import { createPageDialog } from './page-dialog.ts';

/** A session to share, or one of its answers. */
export interface Shareable {
  sessionId: string;
  taskId?: string;
}

/** What the dialog shares. */
export const shareOpen = createPageDialog<Shareable>();
