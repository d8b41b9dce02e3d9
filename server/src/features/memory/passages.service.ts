import type { Tx } from '../../platform/database/database.ts';
import { raiseVersion } from './memory.queries.ts';

/** Raises the version of what an agent knows, in the transaction that adds passages of a file, and says the new one. */
export const raiseMemoryVersion = (tx: Tx, agent: { userId: string; agentId: string }): Promise<number> =>
  raiseVersion(tx, agent);
