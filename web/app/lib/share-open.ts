import { createShared } from '../ui/shared-value.ts';

/** A session to share, or one of its answers. */
export interface Shareable {
  sessionId: string;
  taskId?: string;
}

const open = createShared<Shareable | null>(null);

/** Opens the dialog that shares a session or an answer, or closes it; from anywhere in the workspace. */
export const setShareOpen = open.set;

/** What the open dialog shares; null while it is closed. */
export const useShareOpen = open.useValue;
