import type { LiveEventName, LiveEvents, Topic } from '@atelier/contract/live';
import type { Tx } from './database/database.ts';

/** One event with its data, by name. */
export type LiveMessage = { [K in LiveEventName]: { event: K; data: LiveEvents[K] } }[LiveEventName];
export type LiveListener = (message: LiveMessage) => void;

/** Tells the readers connected to this process what changed; `createLive` is in live-channel.ts. */
export interface Live {
  /** Inside a transaction: once it commits, tells every process that `topic` changed for `uid`. */
  notify(tx: Tx, uid: string, topic: Topic, id: string): Promise<void>;
  /** Sends an event of a running task to this process's listeners of `uid`. */
  emit(uid: string, message: LiveMessage): void;
  /** Listens for one user. Returns a function that stops. */
  subscribe(uid: string, listener: LiveListener): () => void;
  /** Where this process's changes stand now. */
  position(): string;
  /** Whether nothing was told to `uid` since `position`; false where that isn't known. */
  isCurrent(uid: string, position: string): boolean;
  /** Whether anyone in this process listens for the user. */
  hasListeners(uid: string): boolean;
  close(): Promise<void>;
}
