import type { MemoryItem } from '@atelier/contract/memory';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';

/** One thing said, to be kept. `agentId` and `sessionId` are hidden keys. */
export interface MemoryEntry {
  userId: string;
  agentId: string;
  sessionId: string;
  taskId?: string;
  kind: 'person' | 'agent';
  speaker?: string;
  text: string;
  timestamp: Date;
}

export interface RecallQuery {
  userId: string;
  agentId: string;
  sessionId: string;
  /** `session`: only what was said in this session (Free). `agent`: in all sessions of the agent (Pro). */
  scope: 'session' | 'agent';
  text: string;
  limit: number;
}

export interface Recalled extends MemoryItem {
  sessionId: string;
  sessionName: string;
}

/** Stores entries of one agent inside the caller's transaction and raises the agent's memory version. */
export async function remember(_ctx: Pick<Deps, 'db'>, _tx: Tx, _entries: MemoryEntry[]): Promise<void> {
  throw new Error('not built yet');
}

/** The best memories for a text, best first, with scores from 0 to 1. Finds nothing rather than noise. */
export async function recall(_ctx: Deps, _query: RecallQuery): Promise<Recalled[]> {
  throw new Error('not built yet');
}
