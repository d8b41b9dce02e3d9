import type { ImportKind } from '@atelier/contract/transfer/imports';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { readAttachments, toSent } from '../attachments/attachments.service.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { facts } from '../facts/facts.table.ts';
import { taskPlaces } from '../runs/places.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { ATTACHMENT_IDS, attachingRow, branchRow, factRow } from './archive-rows.ts';
import { findPresent, idsOf } from './import-ids.queries.ts';
import { accountScope, type ImportTarget, importedId, validRows } from './import-ids.ts';

type Link = (tx: Tx, to: ImportTarget, rows: unknown[]) => Promise<void>;

/** Gives imported exchanges their places in the tree. An exchange can only follow an older one, so no archive makes a circle. */
const linkBranches: Link = async (tx, to, rows) => {
  const { uid } = to;
  const valid = validRows(to, branchRow, rows);
  const targets = valid.flatMap(({ row, scope }) =>
    [row.taskId, row.parentId, row.originId ?? []].flat().map((id) => ({ id, scope })),
  );
  const here = await findPresent(tx, uid, tasks, targets);
  for (const { row, scope } of valid) {
    const { taskId, sessionId, parentId, originId, onPath, chosenAt } = row;
    const imported = importedId(scope, taskId);
    // Exchanges that were not imported keep their place.
    if (here.get(taskId) !== imported) continue;
    const older = sql`(select p.task_id from task_places p where p.user_id = ${uid} and p.task_id = ${here.get(parentId) ?? null}::uuid
      and p.session_id is not distinct from ${taskPlaces.sessionId} and p.created_at < ${taskPlaces.createdAt})`;
    const parent = parentId === sessionId ? taskPlaces.sessionId : sql`coalesce(${older}, ${taskPlaces.parentId})`;
    await tx
      .update(taskPlaces)
      .set({ parentId: sql`${parent}`, originId: here.get(originId ?? '') ?? null, onPath, chosenAt })
      .where(and(eq(taskPlaces.userId, uid), eq(taskPlaces.taskId, imported)));
  }
};

/** Links the imported facts: which one replaced which, and which say the same. */
const linkFacts: Link = async (tx, to, rows) => {
  const pointers = validRows(to, factRow, rows).filter(({ row }) => row.replacedBy !== null || row.sameAs !== null);
  const targets = pointers.flatMap(({ row: { replacedBy, sameAs }, scope }) =>
    [replacedBy ?? [], sameAs ?? []].flat().map((id) => ({ id, scope })),
  );
  const here = await findPresent(tx, to.uid, facts, targets);
  for (const { row, scope } of pointers) {
    const isOne = and(eq(facts.userId, to.uid), eq(facts.id, importedId(scope, row.id)));
    await tx
      .update(facts)
      .set({ replacedBy: here.get(row.replacedBy ?? '') ?? null, sameAs: here.get(row.sameAs ?? '') ?? null })
      .where(and(isOne, isNull(facts.replacedBy), isNull(facts.sameAs)));
  }
};

/** Lets exchanges that came name the attachments that are here; one that names some already stays as it is. */
const linkAttachments: Link = async (tx, to, rows) => {
  const { uid } = to;
  const valid = validRows(to, attachingRow, rows);
  const sources = valid.map(({ row: { id }, scope }) => ({ id, scope }));
  const inTask = await findPresent(tx, uid, tasks, sources);
  const scope = accountScope(uid, ATTACHMENT_IDS);
  const idsHere = ({ id }: { id: string }) => idsOf({ id, scope }).toReversed();
  const here = await readAttachments(
    tx,
    uid,
    valid.flatMap(({ row }) => row.attachments.flatMap(idsHere)),
  );
  for (const { row } of valid) {
    const files = row.attachments.flatMap((one) =>
      idsHere(one)
        .flatMap((id) => here.get(id) ?? [])
        .slice(0, 1),
    );
    const taskId = inTask.get(row.id);
    if (taskId === undefined || files.length === 0) continue;
    const isBare = and(eq(tasks.userId, uid), eq(tasks.id, taskId), eq(tasks.attachments, []));
    const [task] = await tx
      .update(tasks)
      .set({ attachments: files.map(toSent) })
      .where(isBare)
      .returning({ id: tasks.id });
    if (task === undefined) continue;
    const ids = files.map(({ id }) => id);
    await tx
      .update(attachments)
      .set({ sentAt: sql`coalesce(${attachments.sentAt}, now())` })
      .where(and(eq(attachments.userId, uid), inArray(attachments.id, ids)));
  }
};

/** What connects the rows of a part, once all of them are here, and the file that says how. */
export const LINKS: Partial<Record<ImportKind, { file: string; link: Link }>> = {
  exchanges: { file: 'branches.json', link: linkBranches },
  facts: { file: 'facts.json', link: linkFacts },
  attachments: { file: 'exchanges.json', link: linkAttachments },
};
