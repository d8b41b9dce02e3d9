import type { LiveEventName, LiveEvents, Topic } from '@atelier/contract/live';
import type { Tx } from './database/database.ts';

export type LiveListener = <K extends LiveEventName>(event: K, data: LiveEvents[K]) => void;

/** Fans out what changed to whoever is connected to this process. */
export interface Live {
  /** Within a transaction: tells every process, once it commits, that `topic` changed for `uid`. */
  notify(tx: Tx, uid: string, topic: Topic, id: string): Promise<void>;
  /** Hands an event of a running task to this process's own listeners of `uid`. */
  emit<K extends LiveEventName>(uid: string, event: K, data: LiveEvents[K]): void;
  /** Listens for one user. Returns the way to stop. */
  subscribe(uid: string, listener: LiveListener): () => void;
  close(): Promise<void>;
}
