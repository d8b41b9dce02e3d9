import { fitName } from '@atelier/contract/names/names';
import { PROMPT_LIMITS } from '@atelier/contract/prompts';
import type { ImportKind } from '@atelier/contract/transfer/imports';
import { and, eq, inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { limitsOf } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import { changeUsage, lockUsage } from '../accounts/accounts.counts.service.ts';
import { raiseMemoryVersion } from '../memory/embed.service.ts';
import { savedPrompts } from '../prompts/prompts.table.ts';
import { sessionFolders } from '../sessions/sessions.table.ts';
import { type ArchiveId, findPresent, idsOf } from './import-ids.queries.ts';
import type { ImportTarget, ValidRow } from './import-ids.ts';
import type { Outcome } from './import-progress.service.ts';
import { type Keyed, livingIn, type OwnTable } from './own-tables.table.ts';

const SESSIONS_LEFT =
  'Free accounts are limited to 3 sessions, so others were left out. With Pro, import the archive again to add them.';

/** Stores the rows of one portion that the account doesn't have, as its table says. */
export async function importRows(tx: Tx, to: ImportTarget, own: OwnTable, rows: unknown[]): Promise<Outcome> {
  const valid = [...new Map(own.read(to, rows).map((row) => [row.id, row])).values()];
  const choose = (own.part && CHOICES[own.part[0]]) ?? chooseFresh;
  const { fresh, present, notes = [] } = await choose(tx, to.uid, own, valid);
  for (const [column, table] of Object.entries({ ...own.parents, ...own.references })) {
    const targets = fresh.flatMap(({ scope, values }) => {
      const id = values[column];
      return typeof id === 'string' ? [{ id, scope }] : [];
    });
    const here = await findTargets(tx, to, table, targets);
    for (const { values } of fresh) values[column] = here.get(String(values[column])) ?? null;
  }
  const isWhole = ({ values }: ValidRow) => Object.keys(own.parents).every((column) => values[column] !== null);
  const values = fresh.filter(isWhole).map((row) => row.values);
  await limitPinned(tx, own, values);
  const stored =
    values.length === 0
      ? []
      : await tx.insert(own.table).values(values).onConflictDoNothing().returning({ owner: own.owner });
  const before = present ?? values.length - stored.length;
  return { imported: stored.length, present: before, left: rows.length - stored.length - before, notes };
}

/** Where what rows refer to is here, by its id in the archive: what isn't deleted, and of folders what stays until the transaction ends. */
async function findTargets(tx: Tx, { uid, folders }: ImportTarget, table: Keyed, targets: ArchiveId[]) {
  if (table !== sessionFolders) return findPresent(tx, uid, table, targets, livingIn(table));
  const isOne = and(eq(table.userId, uid), inArray(table.id, [...folders.values()]));
  const rows = folders.size === 0 ? [] : await tx.select({ id: table.id }).from(table).where(isOne).for('key share');
  const here = new Set(rows.map(({ id }) => id));
  return new Map([...folders].filter(([, id]) => here.has(id)));
}

const isKeyed = (table: PgTable): table is Keyed => 'userId' in table && 'id' in table;
type Pinnable = Keyed & Record<'agentId' | 'pinned', PgColumn>;
const isPinnable = (table: PgTable): table is Pinnable => isKeyed(table) && 'agentId' in table && 'pinned' in table;

/** Unpins what an agent has no room for. */
async function limitPinned(tx: Tx, { table, pinned }: OwnTable, values: ValidRow['values'][]) {
  if (pinned === undefined || !isPinnable(table)) return;
  const room = new Map<unknown, number>();
  for (const row of values.filter((one) => one.pinned)) {
    const same = and(eq(table.userId, row.userId), eq(table.agentId, row.agentId), eq(table.pinned, true));
    const free = room.get(row.agentId) ?? pinned - (await tx.$count(table, same));
    room.set(row.agentId, free - 1);
    row.pinned = free > 0;
  }
}

interface Choice {
  fresh: ValidRow[];
  /** How many the account has already; not said where storing the rows shows it. */
  present?: number;
  notes?: string[];
}
type Choose = (tx: Tx, uid: string, own: OwnTable, valid: ValidRow[]) => Promise<Choice>;

/** What the account doesn't have. What has no id of its own is there once for each session, so its key tells. */
const chooseFresh = async (tx: Tx, uid: string, { table }: OwnTable, valid: ValidRow[]): Promise<Choice> => {
  if (!isKeyed(table)) return { fresh: valid };
  const here = await findPresent(tx, uid, table, valid);
  return { fresh: valid.filter(({ id }) => !here.has(id)), present: here.size };
};

/** Where a kind decides more than that. */
const CHOICES: Partial<Record<ImportKind, Choose>> = {
  /** As many as the plan has room for. */
  sessions: async (tx, uid, own, valid) => {
    const usage = await lockUsage(tx, uid);
    const { fresh, ...choice } = await chooseFresh(tx, uid, own, valid);
    const { sessions: limit } = limitsOf(usage.plan);
    const some = limit === null ? fresh : fresh.slice(0, Math.max(0, limit - usage.sessionCount));
    if (some.length > 0) await changeUsage(tx, uid, { sessions: some.length });
    return { ...choice, fresh: some, notes: some.length < fresh.length ? [SESSIONS_LEFT] : [] };
  },
  /** Under the next version of each agent, so that every process notices. */
  memories: async (tx, uid, own, valid) => {
    const choice = await chooseFresh(tx, uid, own, valid);
    for (const agentId of new Set(choice.fresh.map(({ scope }) => scope.id))) {
      const version = await raiseMemoryVersion(tx, { userId: uid, agentId });
      for (const { scope, values } of choice.fresh) if (scope.id === agentId) values.version = version;
    }
    return choice;
  },
  /** One with the same name and text is here already; another of that name gets a number behind it. */
  prompts: async (tx, uid, _own, valid) => {
    const here = await tx.select().from(savedPrompts).where(eq(savedPrompts.userId, uid));
    const ids = new Set(here.map(({ id }) => id));
    const texts = new Map(here.map(({ name, text }) => [name.toLowerCase(), text]));
    const choice = { fresh: [] as ValidRow[], present: 0 };
    for (const row of valid) {
      const [name, text] = [String(row.values.name), String(row.values.text)];
      const isPresent = idsOf(row).some((id) => ids.has(id)) || texts.get(name.toLowerCase()) === text;
      if (isPresent) choice.present += 1;
      if (isPresent || texts.size >= PROMPT_LIMITS.prompts) continue;
      row.values.name = freeName(name, texts);
      texts.set(String(row.values.name).toLowerCase(), text);
      choice.fresh.push(row);
    }
    return choice;
  },
};

function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) {
    const number = ` (${n})`;
    free = fitName(name, PROMPT_LIMITS.name - number.length, 'Prompt') + number;
  }
  return free;
}
