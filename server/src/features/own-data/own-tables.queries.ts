import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
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

export const own = (file: string, table: PgTable, owner: PgColumn, ...without: string[]): OwnTable => ({
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
  own('suspended-ways.json', suspendedWays, suspendedWays.userId, 'row'),
  own('activity.json', accountActivity, accountActivity.userId),
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
