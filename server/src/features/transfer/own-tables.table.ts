import { FACTS_PINNED_MAX } from '@atelier/contract/facts';
import type { Topic } from '@atelier/contract/live';
import { type MemoryItem, PINNED_MAX } from '@atelier/contract/memory';
import { isInFlight } from '@atelier/contract/runs';
import type { ImportKind } from '@atelier/contract/transfer/imports';
import { and, getTableColumns, getTableName, isNull, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { ROWS, WIDE_ROWS } from '../../platform/database/portions.ts';
import { authAccount, authSession, passkeys, suspendedWays } from '../accounts/accounts.identity.table.ts';
import { profiles, usage, user } from '../accounts/accounts.table.ts';
import { accountActivity } from '../accounts/activity/activity.table.ts';
import { invitations } from '../accounts/door/invitations.table.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { paymentEvents, payments, proGrants } from '../billing/billing.table.ts';
import { contactMessages } from '../contact/contact.table.ts';
import { namedSessions } from '../endpoints/endpoints.table.ts';
import { agentReports, exploreTags } from '../explore/explore.table.ts';
import { factSettings, facts } from '../facts/facts.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { apiKeys } from '../keys/keys.table.ts';
import { tokenLedger } from '../ledger/ledger.table.ts';
import { mcpServers } from '../mcp/mcp.table.ts';
import { memories, memoryVectors, passageVectors } from '../memory/memory.table.ts';
import { savedPrompts } from '../prompts/prompts.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { taskPlaces } from '../runs/places.table.ts';
import { summaries, taskEvents, tasks, toolGrants, toolMedia } from '../runs/runs.table.ts';
import { sessionFolders, sessions } from '../sessions/sessions.table.ts';
import { shares } from '../shares/shares.table.ts';
import { exchangeRow, factRow, memoryRow, promptRow, sessionRow, summaryRow } from './archive-rows.ts';
import { type IdScope, type ImportTarget, idHere, importedId, type ValidRow, validRows } from './import-ids.ts';

type Owned = PgTable & { userId: PgColumn };
/** A table whose rows others name by their id. */
export type Keyed = Owned & { id: PgColumn };
/** Columns, each with the table whose row it names. */
type References<T extends PgTable> = Partial<Record<keyof T['$inferInsert'], Keyed>>;

/** How the rows of an archive become rows here. */
interface Rule<T extends PgTable, R> {
  row: z.ZodType<R>;
  /** A row is left out where one of these isn't here. */
  parents?: References<T>;
  /** Null where it isn't here. */
  references?: References<T>;
  /** How many an agent may have pinned. */
  pinned?: number;
  /** For rows of no agent: what their ids here are made with. */
  namespace?: string;
  /** What is not taken over as it is. */
  set?: (row: R, scope: IdScope) => Partial<T['$inferInsert']>;
}

interface Options<T extends PgTable, R> {
  /** The column with the account; `userId` unless named. */
  owner?: PgColumn;
  /** Columns that are secret or internal. */
  without?: (keyof T['$inferSelect'])[];
  /** Where no cascade from the account deletes the rows: when, each table before those that it hangs on, and how many rows at once. */
  erase?: [order: number, rows: number];
  /** The column to delete by where it isn't `owner`. */
  eraseBy?: PgColumn;
  /** Its part of an import, and which pages show it. */
  part?: [kind: ImportKind, topic: Topic];
  import?: Rule<T, R>;
}

/** A table with rows of accounts: its file in the archive, its deletion, its import. */
const own = <T extends PgTable, R extends { id: string }>(
  file: string,
  table: T & { userId?: PgColumn },
  { owner = table.userId, without = [], erase, eraseBy = owner, part, import: rule }: Options<T, R> = {},
) => {
  if (owner === undefined || eraseBy === undefined) throw new Error(`${getTableName(table)} names no account`);
  const read = (to: ImportTarget, rows: unknown[]): ValidRow[] =>
    (rule === undefined ? [] : validRows(to, rule.row, rows, rule.namespace)).map(({ row, scope }) => {
      const more = { userId: to.uid, id: importedId(scope, row.id), agentId: scope.id };
      return { id: row.id, scope, values: { ...row, ...rule?.set?.(row, scope), ...more } };
    });
  const { parents = {}, references = {}, pinned } = rule ?? {};
  const refs: { parents: Record<string, Keyed>; references: Record<string, Keyed> } = { parents, references };
  return { file, table, owner, without: without.map(String), erase, eraseBy, part, pinned, read, ...refs };
};

/** A memory in a receipt, with the ids that it names here. */
const receiptItem = (scope: IdScope, item: MemoryItem): MemoryItem => {
  const names = (['id', 'sessionId', 'taskId', 'fileId'] as const).filter((name) => item[name] !== undefined);
  return { ...item, ...Object.fromEntries(names.map((name) => [name, idHere(scope, item[name] ?? '')])) };
};

export type OwnTable = ReturnType<typeof own>;

/** Every table with rows of accounts, in the archive's order; those without a file aren't in it, see `NOT_EXPORTED`. A test finds gaps. */
export const ALL_TABLES: readonly OwnTable[] = [
  own('account.json', user, { owner: user.id }),
  own('plan.json', profiles),
  own('usage.json', usage),
  own('sign-ins.json', authSession, { without: ['token'] }),
  own('sign-in-methods.json', authAccount, { without: ['password', 'accessToken', 'refreshToken', 'idToken'] }),
  own('passkeys.json', passkeys, { without: ['publicKey', 'credentialID', 'counter'] }),
  own('suspended-ways.json', suspendedWays, { without: ['row'] }),
  own('activity.json', accountActivity),
  own('invitations.json', invitations, { without: ['token'] }),
  own('agents.json', agents, { without: ['memoryVersion'], erase: [210, ROWS], part: ['agents', 'agents'] }),
  own('', exploreTags, { owner: exploreTags.creatorId, erase: [200, ROWS] }),
  own('session-folders.json', sessionFolders, { erase: [180, ROWS] }),
  own('sessions.json', sessions, {
    without: ['importId'],
    erase: [170, ROWS],
    part: ['sessions', 'sessions'],
    import: {
      row: sessionRow,
      references: { folderId: sessionFolders },
      set: (_row, { importId = null }) => ({ importId }),
    },
  }),
  own('exchanges.json', tasks, {
    without: [
      'leaseOwner',
      'leaseUntil',
      'attempt',
      'lastSeq',
      'idempotencyKey',
      'bodyHash',
      'reservedTokens',
      'reservedCost',
    ],
    erase: [160, WIDE_ROWS],
    part: ['exchanges', 'tasks'],
    import: {
      row: exchangeRow,
      parents: { sessionId: sessions },
      set: ({ status, finishedAt, createdAt, memoryUsed, retryOf, without }, scope) => ({
        // What was under way there is interrupted here.
        status: isInFlight(status) ? 'interrupted' : status,
        finishedAt: finishedAt ?? createdAt,
        memoryUsed: memoryUsed.map((item) => receiptItem(scope, item)),
        retryOf: retryOf && importedId(scope, retryOf),
        without: without.map((memory) => idHere(scope, memory)),
        // Nobody here knows whose words are in it.
        readUntrusted: true,
      }),
    },
  }),
  own('branches.json', taskPlaces, { without: ['followers'], erase: [90, ROWS] }),
  own('', taskEvents, { erase: [70, ROWS] }),
  own('attachments.json', attachments, { without: ['key'], erase: [190, WIDE_ROWS], part: ['attachments', 'tasks'] }),
  own('queued-messages.json', queuedMessages, { without: ['sendingAt', 'waitingSince'], erase: [40, WIDE_ROWS] }),
  own('prompts.json', savedPrompts, {
    part: ['prompts', 'prompts'],
    import: { row: promptRow, namespace: '7d0c1f0e-51f4-4a43-8a55-2f4f0f5b9d02' },
  }),
  own('tool-files.json', toolMedia, { without: ['bytes'], erase: [80, WIDE_ROWS] }),
  own('session-summaries.json', summaries, {
    erase: [60, ROWS],
    part: ['summaries', 'sessions'],
    import: { row: summaryRow, parents: { sessionId: sessions }, set: () => ({ readUntrusted: true }) },
  }),
  own('memories.json', memories, {
    without: ['version'],
    erase: [150, ROWS],
    part: ['memories', 'memories'],
    import: {
      row: memoryRow,
      parents: { sessionId: sessions },
      references: { taskId: tasks },
      pinned: PINNED_MAX,
      set: ({ originId }, scope) => ({ originId: originId && idHere(scope, originId) }),
    },
  }),
  own('', memoryVectors, { erase: [130, ROWS] }),
  own('facts.json', facts, {
    without: ['statement'],
    erase: [140, ROWS],
    part: ['facts', 'facts'],
    import: {
      row: factRow,
      parents: { memoryId: memories },
      pinned: FACTS_PINNED_MAX,
      // What a fact points at may come later.
      set: () => ({ statement: 'imported', replacedBy: null, sameAs: null }),
    },
  }),
  own('fact-settings.json', factSettings),
  own('favorites.json', favorites, { erase: [10, ROWS], eraseBy: favorites.creatorId }),
  own('reports.json', agentReports, { erase: [15, ROWS], eraseBy: agentReports.creatorId }),
  own('files.json', agentFiles, {
    without: ['key', 'readingUntil', 'readings', 'readAt'],
    erase: [120, ROWS],
    part: ['files', 'files'],
  }),
  own('', filePassages, { erase: [110, ROWS] }),
  own('', passageVectors, { erase: [100, ROWS] }),
  own('tool-servers.json', mcpServers, { without: ['key', 'secrets'] }),
  own('api-keys.json', apiKeys, { without: ['hash'] }),
  own('named-sessions.json', namedSessions, { erase: [30, ROWS] }),
  own('shared-links.json', shares, { without: ['token'], erase: [20, ROWS] }),
  own('tool-grants.json', toolGrants, { erase: [50, ROWS] }),
  own('pro-grants.json', proGrants),
  own('payments.json', payments, { without: ['checkoutToken', 'nextCheckAt'] }),
  own('payment-events.json', paymentEvents),
  own('token-ledger.json', tokenLedger, { erase: [25, ROWS] }),
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
  const entry = OWN_TABLES.find(({ part }) => part?.[0] === kind);
  if (entry === undefined) throw new Error(`no table is for ${kind}`);
  return entry;
};

/** Tables that the archive leaves out, each with its reason. */
export const NOT_EXPORTED: ReadonlyMap<string, string> = new Map([
  ['explore_tags', 'written by triggers from agents.json'],
  ['file_passages', 'the text of the files, which are in the archive themselves'],
  ['memory_vectors', 'numbers computed from memories.json'],
  ['passage_vectors', 'numbers computed from the texts of files'],
  ['operator_tool_pins', 'nobody’s in particular: the tools that the operator configured'],
  [
    'audit_log',
    'the operators’ own book: their acts, with ids of accounts; the person’s part of it is in activity.json',
  ],
  ['token_totals', 'nobody’s in particular: sums over all accounts'],
  ['budget_reservations', 'what calls under way may take: token-ledger.json has what they took'],
  ['task_events', 'the words of a running answer, which exchanges.json has once it ends'],
  ['rate_limit', 'counts attempts by address; an account stands there as a hash only'],
  ['account_imports', 'what is on its way into the account: it is imported, or the archive is deleted'],
  ['past_imports', 'the same: what the export of another program holds'],
  ['verification', 'one-time codes of the identity provider'],
  ['account_tokens', 'hashes of mailed links, which work for a day at most'],
  ['account_mails', 'mails on their way; they say what the archive has'],
  ['settings', 'nobody’s in particular: what the operator has set'],
  ['model_exclusions', 'nobody’s in particular: the models that the operator has taken away'],
  ['provider_uses', 'nobody’s in particular: how the providers last answered, for the operator'],
  ['two_factor', 'secret: with it nobody needs the phone'],
]);
