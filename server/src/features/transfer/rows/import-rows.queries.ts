import { isNull } from 'drizzle-orm';
import type { z } from 'zod';
import type { Tx } from '../../../platform/database/database.ts';
import { sessions } from '../../sessions/sessions.table.ts';
import { type AgentPlace, type AgentPlaces, findPresent } from '../import-places.queries.ts';

/** The account that imports, and where the archive's agents are in it. */
export interface Destination {
  uid: string;
  agents: AgentPlaces;
  /** The archive's folders by their ids there. */
  folders: ReadonlyMap<string, string>;
  /** The agent of each session of the archive, for rows that don't name it. */
  agentOfSession: ReadonlyMap<string, AgentPlace>;
}

/** What became of the rows of one portion. */
export interface Outcome {
  imported: number;
  present: number;
  left: number;
  /** Rows beyond what the account's plan has room for. */
  overLimit?: number;
}

/** Stores one portion. */
export type Importer = (tx: Tx, to: Destination, rows: unknown[]) => Promise<Outcome>;

/** Rows that are valid and whose agent is here, each once and with its agent. */
export function readable<T extends { id: string; agentId: string }>(
  to: Destination,
  schema: z.ZodType<T>,
  rows: unknown[],
) {
  const found = new Map<string, T & { agent: AgentPlace }>();
  for (const row of rows) {
    const parsed = schema.safeParse(row);
    const agent = parsed.success ? to.agents.get(parsed.data.agentId) : undefined;
    if (parsed.success && agent !== undefined) found.set(parsed.data.id, { ...parsed.data, agent });
  }
  return [...found.values()];
}

/** Valid rows of sessions whose agent is here, with that agent: for rows that name their session only. */
export const readableOfSession = <T extends { sessionId: string }>(
  to: Destination,
  schema: z.ZodType<T>,
  rows: unknown[],
) =>
  rows.flatMap((row) => {
    const parsed = schema.safeParse(row);
    const agent = parsed.success ? to.agentOfSession.get(parsed.data.sessionId) : undefined;
    return parsed.success && agent !== undefined ? [{ ...parsed.data, agent }] : [];
  });

/** What was neither imported nor here is left out. */
export const outcome = (rows: unknown[], imported: number, present: number): Outcome => ({
  imported,
  present,
  left: rows.length - imported - present,
});

/** The account's living sessions, by their ids in the archive. */
export const sessionsHere = (tx: Tx, to: Destination, rows: { sessionId: string; agent: AgentPlace }[]) => {
  const sources = rows.map(({ sessionId, agent }) => ({ id: sessionId, agent }));
  return findPresent(tx, to.uid, sessions, sources, isNull(sessions.deletedAt));
};

/** Says whether an agent may have one more pinned thing, and counts it. */
export function createPinRoom(roomOf: (agentId: string) => Promise<number>) {
  const left = new Map<string, number>();
  return async (agentId: string) => {
    const room = left.get(agentId) ?? (await roomOf(agentId));
    left.set(agentId, room - 1);
    return room > 0;
  };
}
