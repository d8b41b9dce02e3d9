import type { PeopleQuery, PeopleSort } from '@atelier/contract/operator/people';
import { and, asc, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database/database.ts';
import { passkeys } from '../accounts/accounts.identity.table.ts';
import { personWords, profiles, usage, user, WORD_BREAKS } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { payments, proGrants } from '../billing/billing.table.ts';
import { facts } from '../facts/facts.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { apiKeys } from '../keys/keys.table.ts';
import { memories } from '../memory/memory.table.ts';
import { savedPrompts } from '../prompts/prompts.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { shares } from '../shares/shares.table.ts';
import { livingIn } from '../transfer/own-tables.table.ts';

/** A place in a list of people: the value that it is sorted by, and the id. */
export type PeoplePosition = { at: Date | string; id: string };

const lastSignIn = sql<Date>`coalesce(${user.lastSignInAt}, ${user.createdAt})`.mapWith(user.createdAt);

/** Each has an index with the id beside it. */
const ORDERS = {
  newest: { value: sql`${user.createdAt}`, isRising: false },
  seen: { value: lastSignIn, isRising: false },
  email: { value: sql`${user.email}`, isRising: true },
} satisfies Record<PeopleSort, { value: SQL; isRising: boolean }>;

const positionOf = ({ at, id }: PeoplePosition) =>
  typeof at === 'string' ? sql`(${at}::text, ${id}::text)` : sql`(${at.toISOString()}::timestamptz, ${id}::text)`;

const sizes = (table: typeof agentFiles | typeof attachments) =>
  sql`coalesce((select sum(${table.size}) from ${table} where ${table.userId} = ${user.id}), 0)`;

/** Counts and sizes only: no column in which somebody wrote something but their name and email. */
const shown = {
  id: user.id,
  displayName: user.name,
  email: user.email,
  emailVerified: user.emailVerified,
  plan: profiles.subscriptionStatus,
  disabled: user.banned,
  waitingFor: user.waitingFor,
  twoFactor: user.twoFactorEnabled,
  createdAt: user.createdAt,
  lastSignInAt: user.lastSignInAt,
  lastSignIn,
  lastExchangeAt:
    sql<Date | null>`(select max(${tasks.createdAt}) from ${tasks} where ${tasks.userId} = ${user.id})`.mapWith(
      user.createdAt,
    ),
  messages: usage.messageCount,
  sessions: usage.sessionCount,
  exchanges: sql`(select count(*) from ${tasks} where ${tasks.userId} = ${user.id})`.mapWith(Number),
  storage: sql`${sizes(agentFiles)} + ${sizes(attachments)}`.mapWith(Number),
};

const people = (db: Db) =>
  db
    .select(shown)
    .from(user)
    .innerJoin(profiles, eq(profiles.userId, user.id))
    .innerJoin(usage, eq(usage.userId, user.id));

export type PersonRow = Awaited<ReturnType<typeof peopleRows>>[number];

/** The words of a name or email begin with those of the search. */
function matches(search: string): SQL {
  const isBreak = (letter: string) => WORD_BREAKS.includes(letter);
  const apart = Array.from(search.toLowerCase(), (letter) => (isBreak(letter) ? ' ' : letter)).join('');
  const words = apart.split(' ').filter((word) => word !== '');
  if (words.length === 0) return sql`false`;
  const quoted = words.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`);
  return sql`${personWords(user.name, user.email)} @@ to_tsquery('simple'::regconfig, ${quoted.join(' & ')})`;
}

/** Of a search that more match, a page is soon full by walking through the list. */
const FEW = 2_000;

/** What a search finds. For few or none the planner would walk through the whole list, so the index of words is asked for them first. */
async function searched(db: Db, search: string): Promise<SQL> {
  const hits = matches(search);
  const ids = await db
    .select({ id: user.id })
    .from(user)
    .where(hits)
    .limit(FEW + 1);
  const found = ids.map(({ id }) => id);
  return ids.length > FEW ? hits : inArray(user.id, found);
}

/** The accounts after a place; of a search, those with words that begin with its own. */
export async function peopleRows(
  db: Db,
  { search, sort, show }: Pick<PeopleQuery, 'search' | 'sort' | 'show'>,
  after: PeoplePosition | undefined,
  limit: number,
) {
  const { value, isRising } = ORDERS[sort];
  const hits = search === '' ? undefined : await searched(db, search);
  const position =
    after &&
    (isRising
      ? sql`(${value}, ${user.id}) > ${positionOf(after)}`
      : sql`(${value}, ${user.id}) < ${positionOf(after)}`);
  const order = isRising ? asc : desc;
  const shownOnly = show === 'waiting' ? isNotNull(user.waitingFor) : undefined;
  return people(db)
    .where(and(shownOnly, hits, position))
    .orderBy(order(value), order(user.id))
    .limit(limit);
}

/** What the list is sorted by, of one row. */
export const positionIn = (sort: PeopleSort, row: PersonRow): PeoplePosition => ({
  at: { newest: row.createdAt, seen: row.lastSignIn, email: row.email }[sort],
  id: row.id,
});

/** One account, with its passkeys' number and why it is disabled or may not publish. */
export async function personRow(db: Db, id: string) {
  const [row] = await people(db).where(eq(user.id, id));
  const [why] = await db
    .select({ ban: user.banReason, publishingBlocked: profiles.publishingBlocked })
    .from(user)
    .innerJoin(profiles, eq(profiles.userId, user.id))
    .where(eq(user.id, id));
  if (row === undefined || why === undefined) return undefined;
  return {
    ...row,
    disabledReason: row.disabled ? why.ban : null,
    publishingBlocked: why.publishingBlocked,
    passkeys: await db.$count(passkeys, eq(passkeys.userId, id)),
  };
}

/** How much a deletion would take. */
export async function countHoldings(db: Db, id: string) {
  const count = (table: PgTable & { userId: Parameters<typeof eq>[0] }, more?: SQL) =>
    db.$count(table, and(eq(table.userId, id), livingIn(table), more));
  return {
    agents: await count(agents),
    publicAgents: await count(agents, eq(agents.isPublic, true)),
    memories: await count(memories),
    facts: await count(facts),
    files: await count(agentFiles),
    attachments: await count(attachments),
    prompts: await count(savedPrompts),
    keys: await count(apiKeys),
    links: await count(shares),
    payments: await count(payments),
  };
}

/** Why an account is Pro, the latest first. */
export const grantsOf = (db: Db, id: string) =>
  db
    .select({ at: proGrants.createdAt, source: proGrants.source, reason: proGrants.reason })
    .from(proGrants)
    .where(eq(proGrants.userId, id))
    .orderBy(desc(proGrants.createdAt), desc(proGrants.id));
