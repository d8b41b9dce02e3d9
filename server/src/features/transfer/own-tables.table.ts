import { FACTS_PINNED_MAX } from '@atelier/contract/facts';
import type { Topic } from '@atelier/contract/live';
import { type MemoryItem, PINNED_MAX } from '@atelier/contract/memory';
import { isInFlight } from '@atelier/contract/runs';
import type { ImportKind } from '@atelier/contract/transfer/imports';
import { and, getTableColumns, getTableName, isNull, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { ROWS, WIDE_ROWS } from '../../platform/database/portions.ts';
import { authAccount, authSession } from '../accounts/accounts.identity.table.ts';
import { passkeys } from '../accounts/accounts.passkeys.table.ts';
import { suspendedWays } from '../accounts/accounts.suspension.table.ts';
import { profiles, usage, user } from '../accounts/accounts.table.ts';
import { accountActivity } from '../accounts/activity/activity.table.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { paymentEvents, payments, proGrants } from '../billing/billing.table.ts';
import { contactMessages } from '../contact/contact.table.ts';
import { namedSessions } from '../endpoints/endpoints.table.ts';
import { exploreTags } from '../explore/explore.table.ts';
import { factSettings, facts } from '../facts/facts.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { apiKeys } from '../keys/keys.table.ts';
import { mcpServers } from '../mcp/mcp.table.ts';
import { memories, memoryVectors, passageVectors } from '../memory/memory.table.ts';
import { savedPrompts } from '../prompts/prompts.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { taskPlaces } from '../runs/places.table.ts';
import { taskEvents, tasks, toolGrants, toolMedia } from '../runs/runs.table.ts';
import { summaries } from '../runs/summary.table.ts';
import { sessionFolders } from '../sessions/folders.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { shares } from '../shares/shares.table.ts';
import { exchangeRow, factRow, memoryRow, promptRow, sessionRow, summaryRow } from './archive-rows.ts';
import { type Destination, idHere, importedId, type Place, type ValidRow, validRows } from './import-places.ts';

type Owned = PgTable & { userId: PgColumn };
/** A table whose rows others name by their id. */
export type Keyed = Owned & { id: PgColumn };
/** Columns, each with the table whose row it names. */
type References<T extends PgTable> = Partial<Record<keyof T['$inferInsert'], Keyed>>;

/** How the rows of an archive become rows here. */
interface Rule<T extends PgTable, R> {
  row: z.ZodType<R>;
  /** A row is left out where one of these isn't here. */
  within?: References<T>;
  /** Null where it isn't here. */
  links?: References<T>;
  /** How many an agent may have pinned. */
  pinned?: number;
  /** For rows of no agent: what their ids here are made with. */
  namespace?: string;
  /** What is not taken over as it is. */
  set?: (row: R, place: Place) => Partial<T['$inferInsert']>;
}

interface Options<T extends PgTable, R> {
  /** The column with the account; `userId` unless named. */
  owner?: PgColumn;
  /** Columns that are secret or internal. */
  without?: (keyof T['$inferSelect'])[];
  /** What goes in portions after the account itself is deleted, so many rows at once; by another column where it isn't the owner's own. */
  erase?: number;
  eraseBy?: PgColumn;
  /** Its part of an import, and which pages show it. */
  part?: [kind: ImportKind, topic: Topic];
  carry?: Rule<T, R>;
}

/** A table with rows of accounts: its file in the archive, its deletion, its import. */
const own = <T extends PgTable, R extends { id: string }>(
  file: string,
  table: T & { userId?: PgColumn },
  { owner = table.userId, without = [], erase, eraseBy = owner, part, carry }: Options<T, R> = {},
) => {
  if (owner === undefined || eraseBy === undefined) throw new Error(`${getTableName(table)} names no account`);
  const read = (to: Destination, rows: unknown[]): ValidRow[] =>
    (carry === undefined ? [] : validRows(to, carry.row, rows, carry.namespace)).map(({ row, place }) => {
      const more = { userId: to.uid, id: importedId(place, row.id), agentId: place.id };
      return { id: row.id, place, values: { ...row, ...carry?.set?.(row, place), ...more } };
    });
  const { within = {}, links = {}, pinned } = carry ?? {};
  const refs: { within: Record<string, Keyed>; links: Record<string, Keyed> } = { within, links };
  return { file, table, owner, without: without.map(String), erase, eraseBy, part, pinned, read, ...refs };
};

/** A memory in a receipt, with the ids that it names here. */
const receiptItem = (place: Place, item: MemoryItem): MemoryItem => {
  const names = (['id', 'sessionId', 'taskId', 'fileId'] as const).filter((name) => item[name] !== undefined);
  return { ...item, ...Object.fromEntries(names.map((name) => [name, idHere(place, item[name] ?? '')])) };
};

export type OwnTable = ReturnType<typeof own>;

/**
 * Every table with rows of accounts, in the archive's order: each after those that it hangs on, as a deletion goes from the last to the first, so that
 * no cascade finds more than a few rows. Without a file, the archive leaves it out, see `NOT_EXPORTED`. A test fails for a table that is missing.
 */
export const ALL_TABLES: readonly OwnTable[] = [
  own('account.json', user, { owner: user.id }),
  own('plan.json', profiles),
  own('usage.json', usage),
  own('sign-ins.json', authSession, { without: ['token'] }),
  own('sign-in-methods.json', authAccount, { without: ['password', 'accessToken', 'refreshToken', 'idToken'] }),
  own('passkeys.json', passkeys, { without: ['publicKey', 'credentialID', 'counter'] }),
  own('suspended-ways.json', suspendedWays, { without: ['row'] }),
  own('activity.json', accountActivity),
  own('agents.json', agents, { without: ['memoryVersion'], erase: ROWS, part: ['agents', 'agents'] }),
  own('', exploreTags, { owner: exploreTags.creatorId, erase: ROWS }),
  own('session-folders.json', sessionFolders, { erase: ROWS }),
  own('sessions.json', sessions, {
    erase: ROWS,
    part: ['sessions', 'sessions'],
    carry: { row: sessionRow, links: { folderId: sessionFolders } },
  }),
  own('exchanges.json', tasks, {
    without: ['leaseOwner', 'leaseUntil', 'attempt', 'lastSeq', 'idempotencyKey', 'bodyHash'],
    erase: WIDE_ROWS,
    part: ['exchanges', 'tasks'],
    carry: {
      row: exchangeRow,
      within: { sessionId: sessions },
      set: ({ status, finishedAt, createdAt, memoryUsed, retryOf, without }, place) => ({
        // What was under way there is interrupted here.
        status: isInFlight(status) ? 'interrupted' : status,
        finishedAt: finishedAt ?? createdAt,
        memoryUsed: memoryUsed.map((item) => receiptItem(place, item)),
        retryOf: retryOf && importedId(place, retryOf),
        without: without.map((memory) => idHere(place, memory)),
        // Nobody here knows whose words are in it.
        readUntrusted: true,
      }),
    },
  }),
  own('branches.json', taskPlaces, { without: ['followers'], erase: ROWS }),
  own('', taskEvents, { erase: ROWS }),
  own('attachments.json', attachments, { without: ['key'], erase: WIDE_ROWS, part: ['attachments', 'tasks'] }),
  own('queued-messages.json', queuedMessages, { without: ['sendingAt', 'waitingSince'], erase: WIDE_ROWS }),
  own('prompts.json', savedPrompts, {
    part: ['prompts', 'prompts'],
    carry: { row: promptRow, namespace: '7d0c1f0e-51f4-4a43-8a55-2f4f0f5b9d02' },
  }),
  own('tool-files.json', toolMedia, { without: ['bytes'], erase: WIDE_ROWS }),
  own('session-summaries.json', summaries, {
    erase: ROWS,
    part: ['summaries', 'sessions'],
    carry: { row: summaryRow, within: { sessionId: sessions }, set: () => ({ readUntrusted: true }) },
  }),
  own('memories.json', memories, {
    without: ['version'],
    erase: ROWS,
    part: ['memories', 'memories'],
    carry: {
      row: memoryRow,
      within: { sessionId: sessions },
      links: { taskId: tasks },
      pinned: PINNED_MAX,
      set: ({ originId }, place) => ({ originId: originId && idHere(place, originId) }),
    },
  }),
  own('', memoryVectors, { erase: ROWS }),
  own('facts.json', facts, {
    without: ['statement'],
    erase: ROWS,
    part: ['facts', 'facts'],
    carry: {
      row: factRow,
      within: { memoryId: memories },
      pinned: FACTS_PINNED_MAX,
      // What a fact points at may come later.
      set: () => ({ statement: 'imported', replacedBy: null, sameAs: null }),
    },
  }),
  own('fact-settings.json', factSettings),
  own('favorites.json', favorites, { erase: ROWS, eraseBy: favorites.creatorId }),
  own('files.json', agentFiles, {
    without: ['key', 'readingUntil', 'readings', 'readAt'],
    erase: ROWS,
    part: ['files', 'files'],
  }),
  own('', filePassages, { erase: ROWS }),
  own('', passageVectors, { erase: ROWS }),
  own('tool-servers.json', mcpServers, { without: ['key', 'secrets'] }),
  own('api-keys.json', apiKeys, { without: ['hash'] }),
  own('named-sessions.json', namedSessions, { erase: ROWS }),
  own('shared-links.json', shares, { without: ['token'], erase: ROWS }),
  own('tool-grants.json', toolGrants, { erase: ROWS }),
  own('pro-grants.json', proGrants),
  own('payments.json', payments, { without: ['checkoutToken', 'nextCheckAt'] }),
  own('payment-events.json', paymentEvents),
  own('contact-messages.json', contactMessages, { without: ['fingerprint', 'nextAttemptAt'] }),
];

/** What isn't deleted or forgotten, of a table that knows either. */
export const livingIn = (table: PgTable): SQL | undefined => {
  const { deletedAt, forgottenAt } = getTableColumns(table);
  return and(deletedAt && isNull(deletedAt), forgottenAt && isNull(forgottenAt));
};

/** Those that the archive has. */
export const OWN_TABLES = ALL_TABLES.filter(({ file }) => file !== '');

/** The table of a part of an import. */
export const partOf = (kind: ImportKind): OwnTable => {
  const found = OWN_TABLES.find(({ part }) => part?.[0] === kind);
  if (found === undefined) throw new Error(`no table is for ${kind}`);
  return found;
};

/** Tables that the archive leaves out, each with its reason. */
export const NOT_EXPORTED: ReadonlyMap<string, string> = new Map([
  ['explore_tags', 'written by triggers from agents.json'],
  ['file_passages', 'the text of the files, which are in the archive themselves'],
  ['memory_vectors', 'numbers computed from memories.json'],
  ['passage_vectors', 'numbers computed from the texts of files'],
  ['operator_tool_pins', 'nobody’s in particular: the tools that the operator configured'],
  ['task_events', 'the words of a running answer, which exchanges.json has once it ends'],
  ['rate_limit', 'counts attempts by address; an account stands there as a hash only'],
  ['account_imports', 'what is on its way into the account: it is imported, or the archive is deleted'],
  ['verification', 'one-time codes of the identity provider'],
  ['account_tokens', 'hashes of mailed links, which work for a day at most'],
  ['account_mails', 'mails on their way; they say what the archive has'],
  ['two_factor', 'secret: with it nobody needs the phone'],
]);
