import { setImmediate } from 'node:timers/promises';
import { and, asc, eq, getTableColumns, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database/database.ts';
import { withoutSorting } from '../../platform/database/find-in-order.ts';
import { authAccount, authSession } from '../accounts/accounts.identity.table.ts';
import { passkeys } from '../accounts/accounts.passkeys.table.ts';
import { profiles, usage, user } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { paymentEvents, payments, proGrants } from '../billing/billing.table.ts';
import { contactMessages } from '../contact/contact.table.ts';
import { namedSessions } from '../endpoints/endpoints.table.ts';
import { factSettings, facts } from '../facts/facts.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { apiKeys } from '../keys/keys.table.ts';
import { mcpServers } from '../mcp/mcp.table.ts';
import { memories } from '../memory/memory.table.ts';
import { savedPrompts } from '../prompts/prompts.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { taskPlaces } from '../runs/places.table.ts';
import { tasks, toolGrants, toolMedia } from '../runs/runs.table.ts';
import { summaries } from '../runs/summary.table.ts';
import { sessionFolders } from '../sessions/folders.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { shares } from '../shares/shares.table.ts';

/** A table with a person's rows. */
export interface OwnTable {
  /** Its file in the archive. */
  file: string;
  table: PgTable;
  owner: PgColumn;
  /** Columns that are secret or internal. */
  without: readonly string[];
}

const own = (file: string, table: PgTable, owner: PgColumn, ...without: string[]): OwnTable => ({
  file,
  table,
  owner,
  without,
});

/** Every table with one person's rows. A test fails for a table that is neither here nor in `NOT_EXPORTED`. */
export const OWN_TABLES: readonly OwnTable[] = [
  own('account.json', user, user.id),
  own('plan.json', profiles, profiles.userId),
  own('usage.json', usage, usage.userId),
  own('sign-ins.json', authSession, authSession.userId, 'token'),
  own('sign-in-methods.json', authAccount, authAccount.userId, 'password', 'accessToken', 'refreshToken', 'idToken'),
  own('passkeys.json', passkeys, passkeys.userId, 'publicKey', 'credentialID', 'counter'),
  own('agents.json', agents, agents.userId, 'memoryVersion'),
  own('session-folders.json', sessionFolders, sessionFolders.userId),
  own('sessions.json', sessions, sessions.userId),
  own(
    'exchanges.json',
    tasks,
    tasks.userId,
    'leaseOwner',
    'leaseUntil',
    'attempt',
    'lastSeq',
    'idempotencyKey',
    'bodyHash',
  ),
  own('branches.json', taskPlaces, taskPlaces.userId, 'followers'),
  own('attachments.json', attachments, attachments.userId, 'key'),
  own('queued-messages.json', queuedMessages, queuedMessages.userId, 'sendingAt', 'waitingSince'),
  own('prompts.json', savedPrompts, savedPrompts.userId),
  own('tool-files.json', toolMedia, toolMedia.userId, 'bytes'),
  own('session-summaries.json', summaries, summaries.userId),
  own('memories.json', memories, memories.userId, 'version'),
  own('facts.json', facts, facts.userId, 'statement'),
  own('fact-settings.json', factSettings, factSettings.userId),
  own('favorites.json', favorites, favorites.userId),
  own('files.json', agentFiles, agentFiles.userId, 'key', 'readingUntil', 'readings', 'readAt'),
  own('tool-servers.json', mcpServers, mcpServers.userId, 'key', 'secrets'),
  own('api-keys.json', apiKeys, apiKeys.userId, 'hash'),
  own('named-sessions.json', namedSessions, namedSessions.userId),
  own('shared-links.json', shares, shares.userId, 'token'),
  own('tool-grants.json', toolGrants, toolGrants.userId),
  own('pro-grants.json', proGrants, proGrants.userId),
  own('payments.json', payments, payments.userId, 'checkoutToken', 'nextCheckAt'),
  own('payment-events.json', paymentEvents, paymentEvents.userId),
  own('contact-messages.json', contactMessages, contactMessages.userId, 'fingerprint', 'nextAttemptAt'),
];

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

const PAGE = 100;

/**
 * One person's rows, all or some, in the order of their key, without secrets; read in pages, so no statement is long. A page begins in the key's own
 * index where the last one ended: comparing as text, each page would read and sort everything again.
 */
export async function* ownRows(
  db: Db,
  own: OwnTable,
  uid: string,
  only?: SQL,
): AsyncGenerator<Record<string, unknown>> {
  const columns = Object.fromEntries(
    Object.entries(getTableColumns(own.table)).filter(([name]) => !own.without.includes(name)),
  );
  const key = keyOf(own);
  const mark = Object.fromEntries(key.map((column, index) => [`key${index}`, column]));
  let after: SQL | undefined;
  for (;;) {
    const page = (tx: Db) =>
      tx
        .select({ row: columns, ...(key.length === 0 ? {} : { mark }) })
        .from(own.table)
        .where(and(eq(own.owner, uid), only, after))
        .orderBy(...key.map((column) => asc(column)))
        .limit(PAGE);
    const rows = await (isByOwner(own) ? withoutSorting(db, page) : page(db));
    // The embedded database never yields the thread by itself; others wait for it too.
    await setImmediate();
    for (const { row } of rows) yield row;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined || key.length === 0) return;
    const values = key.map((column, index) => sql.param(Reflect.get(last.mark ?? {}, `key${index}`), column));
    after = sql`(${sql.join(key, sql`, `)}) > (${sql.join(values, sql`, `)})`;
  }
}

/** Whether the primary key begins with the owner: then its index has one person's rows side by side, in order. */
const isByOwner = ({ table, owner }: OwnTable) => getTableConfig(table).primaryKeys[0]?.columns[0]?.name === owner.name;

/** What distinguishes a person's rows: the primary key without its owner; empty for one row per person. */
function keyOf({ table, owner }: OwnTable): PgColumn[] {
  const config = getTableConfig(table);
  const columns = config.primaryKeys[0]?.columns ?? config.columns.filter((column) => column.primary);
  return columns.filter((column) => column.name !== owner.name);
}

/** A person's agents that are not deleted, read one page after another. */
export async function* livingAgents(db: Db, uid: string) {
  for (let after: SQL | undefined; ; ) {
    const rows = await db
      .select()
      .from(agents)
      .where(and(eq(agents.userId, uid), isNull(agents.deletedAt), after))
      .orderBy(asc(agents.id))
      .limit(PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = gt(agents.id, last.id);
  }
}

/** A person's stored files, including those whose deletion can still be undone. */
export const storedFiles = (db: Db, uid: string) =>
  db
    .select({ id: agentFiles.id, name: agentFiles.name, key: agentFiles.key })
    .from(agentFiles)
    .where(eq(agentFiles.userId, uid))
    .orderBy(asc(agentFiles.id));

/** Pictures and files of messages, whose bytes are stored. */
export const storedAttachments = (db: Db, uid: string) =>
  db
    .select({ id: attachments.id, name: attachments.name, key: attachments.key })
    .from(attachments)
    .where(eq(attachments.userId, uid))
    .orderBy(asc(attachments.id));

/** What tools answered as pictures, sounds and files, without the bytes. */
export const storedToolFiles = (db: Db, uid: string) =>
  db
    .select({ id: toolMedia.id, taskId: toolMedia.taskId, type: toolMedia.type })
    .from(toolMedia)
    .where(eq(toolMedia.userId, uid))
    .orderBy(asc(toolMedia.id));

/** The bytes of one of these; none when it was deleted meanwhile. */
export async function toolFileBytes(db: Db, uid: string, { taskId, id }: { taskId: string; id: string }) {
  const same = and(eq(toolMedia.userId, uid), eq(toolMedia.taskId, taskId), eq(toolMedia.id, id));
  const [row] = await db.select({ bytes: toolMedia.bytes }).from(toolMedia).where(same);
  return row === undefined ? [] : [new Uint8Array(row.bytes)];
}
