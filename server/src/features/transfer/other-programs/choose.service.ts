import { PAST_SENTENCES, type Past, type PastChoice } from '@atelier/contract/transfer/past';
import type { Authorized } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { getAgent } from '../../agents/agents.service.ts';
import { changeImport, getImport } from '../imports.service.ts';
import type { AccountImportRow } from '../imports.table.ts';
import { countsOf, findPast, ofImport } from './past.service.ts';
import { pastImports } from './past.table.ts';

/** What the person can choose from. Throws 404 for an import of anything else. */
export async function readPast(ctx: Deps, { userId, id, program }: AccountImportRow): Promise<Past> {
  const row = await findPast(ctx.db, { userId, importId: id });
  if (row === undefined || program === null) throw notFound('This import');
  return {
    program,
    conversations: row.conversations.map(({ sessionId: _id, exchanges: _own, memories: _all, ...shown }) => shown),
    facts: row.facts.map(({ id: _id, ...shown }) => shown),
  };
}

/** Stores what to import, before it begins. Throws 404 for an agent or an import that isn't the caller's, 409 once it has begun. */
export async function choosePast(
  ctx: Deps,
  source: Authorized<AccountImportRow>,
  { agentId, conversations, facts }: PastChoice,
): Promise<AccountImportRow> {
  const key = { userId: source.userId, importId: source.id };
  const agent = agentId === null ? null : await getAgent(ctx.db, source.userId, agentId);
  await ctx.db.transaction(async (tx) => {
    const row = await findPast(tx, key);
    if (row === undefined) throw notFound('This import');
    const chosen = new Set(conversations.filter((place) => place < row.conversations.length));
    const chosenFacts = [...new Set(facts)].filter((place) => chosen.has(row.facts[place]?.conversation ?? -1));
    if (chosen.size === 0) throw new AppError('invalid_input', PAST_SENTENCES.none, { field: 'conversations' });
    const choice = { chosenConversations: [...chosen], chosenFacts };
    await tx
      .update(pastImports)
      .set({ ...choice, agentId: agent?.id ?? null })
      .where(ofImport(key));
    const change = { from: ['ready' as const], counts: countsOf({ ...row, ...choice }) };
    if ((await changeImport(ctx, tx, key, change)) === undefined) throw new AppError('conflict', PAST_SENTENCES.begun);
  });
  return getImport(ctx.db, source.userId, source.id);
}
