import { FACTS_PINNED_MAX } from '@atelier/contract/facts';
import { and, eq, isNull } from 'drizzle-orm';
import { facts } from '../../facts/facts.table.ts';
import { memories } from '../../memory/memory.table.ts';
import { factRow } from '../archive/archive-rows.ts';
import { findPresent, importedId } from '../import-places.queries.ts';
import { createPinRoom, type Importer, outcome, readable } from './import-rows.queries.ts';

/** Facts without their links: what a fact points at may come later. */
export const importFacts: Importer = async (tx, to, rows) => {
  const found = readable(to, factRow, rows);
  const present = await findPresent(tx, to.uid, facts, found);
  const memorySources = found.map(({ memoryId, agent }) => ({ id: memoryId, agent }));
  const inMemory = await findPresent(tx, to.uid, memories, memorySources, isNull(memories.forgottenAt));
  const room = createPinRoom(async (agentId) => {
    const pinned = and(eq(facts.userId, to.uid), eq(facts.agentId, agentId), facts.pinned);
    return FACTS_PINNED_MAX - (await tx.$count(facts, pinned));
  });
  const values: (typeof facts.$inferInsert)[] = [];
  for (const { agent, id, memoryId, replacedBy: _later, sameAs: _earlier, ...row } of found) {
    const memory = inMemory.get(memoryId);
    if (memory === undefined || present.has(id)) continue;
    values.push({
      ...row,
      userId: to.uid,
      id: importedId(agent, id),
      agentId: agent.id,
      memoryId: memory,
      statement: 'imported',
      pinned: row.pinned && (await room(agent.id)),
    });
  }
  if (values.length > 0) await tx.insert(facts).values(values);
  return outcome(rows, values.length, present.size);
};

/** Links the imported facts: which one replaced which, and which say the same. */
export const linkFacts: Importer = async (tx, to, rows) => {
  const linked = readable(to, factRow, rows).filter(({ replacedBy, sameAs }) => replacedBy !== null || sameAs !== null);
  const targets = linked.flatMap(({ agent, replacedBy, sameAs }) =>
    [replacedBy, sameAs].flatMap((id) => (id === null ? [] : [{ id, agent }])),
  );
  const here = await findPresent(tx, to.uid, facts, targets);
  for (const { id, agent, replacedBy, sameAs } of linked) {
    const links = { replacedBy: here.get(replacedBy ?? '') ?? null, sameAs: here.get(sameAs ?? '') ?? null };
    const unlinked = and(isNull(facts.replacedBy), isNull(facts.sameAs));
    await tx
      .update(facts)
      .set(links)
      .where(and(eq(facts.userId, to.uid), eq(facts.id, importedId(agent, id)), unlinked));
  }
  return { imported: 0, present: 0, left: 0 };
};
