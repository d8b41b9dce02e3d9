import { v5 as uuidv5 } from 'uuid';
import type { z } from 'zod';

/** Where something of an archive belongs in the account that imports: what its ids here are made with. */
export interface IdScope {
  /** The agent here; the kind's namespace for what belongs to no agent. */
  id: string;
  /** It is the very agent that was exported, in the account that exported it. */
  isSame: boolean;
  prefix?: string;
  /** The import that can be undone as one, for an export of another program. */
  importId?: string;
}

/** The account that imports, and what of the archive is where in it. */
export interface ImportTarget {
  uid: string;
  agents: ReadonlyMap<string, IdScope>;
  /** The archive's folders by their ids there. */
  folders: ReadonlyMap<string, string>;
  /** The agent of each session of the archive, for rows that don't name it. */
  agentOfSession: ReadonlyMap<string, IdScope>;
}

/** A valid row whose scope is known, with its columns as they are to be stored. */
export interface ValidRow {
  id: string;
  scope: IdScope;
  values: Record<string, unknown>;
}

/**
 * The id that something of the archive gets here: always the same one for the same archive, account and agent, so that a second import finds
 * what the first one brought. An id of the archive is never taken over, for it is the sender's choice.
 */
export const importedId = ({ id: namespace, prefix = '' }: IdScope, id: string) => uuidv5(prefix + id, namespace);

/** The id here of what an archive names: the same one for the very agent that was exported. */
export const idHere = (scope: IdScope, id: string) => (scope.isSame ? id : importedId(scope, id));

/** The scope of what belongs to the account and to no agent. */
export const accountScope = (uid: string, namespace: string): IdScope => ({
  id: namespace,
  isSame: true,
  prefix: `${uid}/`,
});

type Ids = Partial<Record<'id' | 'taskId' | 'agentId' | 'sessionId', string>>;

/** Rows that are valid and whose agent is here: the one that they name, or that of their session. A namespace is for rows of no agent. */
export const validRows = <R extends Ids>(to: ImportTarget, schema: z.ZodType<R>, rows: unknown[], namespace?: string) =>
  rows.flatMap((json) => {
    const row = schema.safeParse(json).data;
    if (row === undefined) return [];
    const { agentId, sessionId = '' } = row;
    const agent = agentId === undefined ? to.agentOfSession.get(sessionId) : to.agents.get(agentId);
    const scope = namespace === undefined ? agent : accountScope(to.uid, namespace);
    return scope === undefined ? [] : [{ row, scope }];
  });
