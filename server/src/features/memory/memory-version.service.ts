import type { Tx } from '../../platform/database/database.ts';
import { raiseVersion } from './memory.queries.ts';

/** Raises the version of an agent's memory in the transaction that adds passages or memories, and returns it. */
export const raiseMemoryVersion = (tx: Tx, agent: { userId: string; agentId: string }): Promise<number> =>
  raiseVersion(tx, agent);
