import { type ImportCount, importKind } from '@atelier/contract/transfer/imports';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { isRecord } from '../../../platform/parsed-json.ts';
import type { Archive } from '../archive.ts';
import type { ImportKey } from '../imports.table.ts';
import { type PastImportRow, pastImports } from './past.table.ts';

type PastLists = Pick<PastImportRow, 'conversations' | 'facts'>;

export const ofImport = ({ userId, importId }: ImportKey) =>
  and(eq(pastImports.userId, userId), eq(pastImports.importId, importId));

/** What an import knows of another program's export; undefined for an archive of this product. */
export async function findPast(db: Db, key: ImportKey): Promise<PastImportRow | undefined> {
  const [row] = await db.select().from(pastImports).where(ofImport(key));
  return row;
}

/** Stores what a person can choose from, in the transaction that stores the import. */
export async function storePast(tx: Tx, key: ImportKey, { conversations, facts }: PastLists): Promise<void> {
  await tx.insert(pastImports).values({ ...key, conversations, facts });
}

type PastSelection = Pick<PastImportRow, 'conversations' | 'facts' | 'chosenConversations' | 'chosenFacts'>;

const chosenOf = ({ conversations, chosenConversations }: PastSelection) =>
  chosenConversations === null ? conversations : chosenConversations.flatMap((place) => conversations[place] ?? []);

/** How much of each kind is to be imported. */
export function countsOf(past: PastSelection): ImportCount[] {
  const chosen = chosenOf(past);
  const sum = (of: 'exchanges' | 'memories') => chosen.reduce((all, one) => all + one[of], 0);
  const amounts: Partial<Record<ImportCount['kind'], number>> = {
    agents: 1,
    sessions: chosen.length,
    exchanges: sum('exchanges'),
    memories: sum('memories'),
    facts: past.chosenFacts.length,
  };
  return importKind.options.map((kind) => ({ kind, found: amounts[kind] ?? 0, imported: 0, present: 0, left: 0 }));
}

/** An archive as if it held only what the person chose. */
export function onlyChosen(archive: Archive, past: PastSelection): Archive {
  const sessions = new Set(chosenOf(past).map(({ sessionId }) => sessionId));
  const facts = new Set(past.chosenFacts.map((place) => past.facts[place]?.id));
  const isChosen = (file: string, row: unknown) => {
    if (!isRecord(row)) return false;
    if (file === 'facts.json') return facts.has(String(row.id));
    return sessions.has(String(file === 'sessions.json' ? row.id : row.sessionId));
  };
  return {
    ...archive,
    async *rows(file, isGone) {
      for await (const rows of archive.rows(file, isGone)) {
        const chosen = rows.filter((row) => isChosen(file, row));
        if (chosen.length > 0) yield chosen;
      }
    },
  };
}

/** Notes which agent an import is about to make; undoing it deletes that one. */
export async function noteMadeAgent(db: Db, key: ImportKey, agentId: string): Promise<void> {
  await db
    .update(pastImports)
    .set({ madeAgentId: agentId })
    .where(and(ofImport(key), isNull(pastImports.agentId)));
}
