import type { AgentSettings } from '@atelier/contract/agents';
import { and, eq, inArray, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, wordsIndex } from '../../platform/database/columns.ts';
import { largeOwner, user } from '../accounts/accounts.table.ts';

/** Letters of other scripts that are drawn as Latin ones, and signs that are hard to tell apart, each above what it is taken for. */
const LOOKALIKES = [
  ['АВЕЅІЈКМНОРСТУХԚԜҺӀавеѕіјкмнорстухԁԛԝһӏ', 'ABESlJKMHOPCTYXQWhlabesljkmhopctyxdqwhl'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχ', 'ABEZHlKMNOPTYXabezhlkmnoptyx'],
  ['ՕօսհոıɡɑIi1|0', 'Oouhnlgallllo'],
] as const;
/** What doesn't tell names apart: blanks and signs between words, and marks on letters. */
const IGNORED = ` -_.,:;!?'"\`’‘“”«»()[]·•…–—\u200c\u200d\ufe0e\ufe0f${Array.from({ length: 0x70 }, (_, at) => String.fromCodePoint(0x300 + at)).join('')}`;
/** A text in SQL. What drizzle-kit takes for its own separators, and what nobody sees, is written as numbers. */
const literal = (text: string) =>
  sql.raw(
    `U&'${text.replaceAll(/[;,"'\\\p{M}\p{Cf}]/gu, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`,
  );

/** What a name looks like: equal for names that people would take for the same. */
export const nameLook = (name: SQLWrapper): SQL =>
  sql`lower(translate(normalize(${name}, NFKD), ${literal(LOOKALIKES.map(([from]) => from).join('') + IGNORED)}, ${literal(LOOKALIKES.map(([, to]) => to).join(''))}))`;

export type ForkBase = AgentSettings & { slug: string };

/**
 * `id` is the hidden key that everything hangs on; `slug` is the address, unique among the owner's living agents.
 * A deleted agent leaves its row, without prompt, so that its sessions can still name it.
 */
export const agents = pgTable(
  'agents',
  {
    userId: largeOwner(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    prompt: text('prompt').notNull(),
    model: text('model').notNull(),
    tags: text('tags').array().notNull().default([]),
    tools: text('tools').array().notNull().default([]),
    /** The hash of each server's tool as it was when the person turned it on. */
    toolPins: jsonb('tool_pins').$type<[tool: string, hash: string][]>().notNull().default([]),
    /** The prompt is of a copy or a file, so it may hold what somebody else wants. */
    foreignPrompt: boolean('foreign_prompt').notNull().default(false),
    temperature: real('temperature').notNull(),
    memoryEnabled: boolean('memory_enabled').notNull(),
    /** Up to four ways to begin, shown in an empty session. */
    starters: text('starters').array().notNull().default([]),
    isPublic: boolean('is_public').notNull().default(false),
    favoriteCount: integer('favorite_count').notNull().default(0),
    /** Incremented in each transaction that adds or forgets memories; indexes of other processes compare it. */
    memoryVersion: bigint('memory_version', { mode: 'number' }).notNull().default(0),
    /** The original of a copy, by its hidden key; its account may be deleted before the copy is. */
    forkedFromUser: text('forked_from_user'),
    forkedFromAgent: uuid('forked_from_agent'),
    /** The original's settings and address as last taken: what “the original changed” is measured against. Older ones lack new settings. */
    forkBase: jsonb('fork_base').$type<ForkBase>(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    deletedAt: instant('deleted_at'),
    /** Since when it is public under a name that looks like this; null before it first is, and where that was before this was noted. */
    publishedAt: instant('published_at'),
    /** The operator's, who has unpublished it; its author reads it. */
    unpublishedReason: text('unpublished_reason'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex('agents_slug').on(t.userId, t.slug).where(sql`${t.deletedAt} is null`),
    index('agents_list').on(t.userId, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    foreignKey({
      columns: [t.forkedFromUser, t.forkedFromAgent],
      foreignColumns: [t.userId, t.id],
      name: 'agents_forked_from',
    }).onDelete('set null'),
    index('agents_forks').on(t.forkedFromUser, t.forkedFromAgent).where(sql`${t.forkedFromUser} is not null`),
    wordsIndex('agents_words'),
    // Serve explore without a tag: the public ones in either order.
    index('agents_explore').on(t.favoriteCount, t.id).where(sql`${t.isPublic} and ${t.deletedAt} is null`),
    index('agents_newest').on(t.createdAt, t.id).where(sql`${t.isPublic} and ${t.deletedAt} is null`),
    index('agents_look')
      .on(nameLook(sql`name`), sql`coalesce(${t.publishedAt}, ${t.createdAt})`, t.id)
      .where(sql`${t.isPublic} and ${t.deletedAt} is null`),
    check('agents_favorites_not_negative', sql`${t.favoriteCount} >= 0`),
  ],
);

export type AgentRow = typeof agents.$inferSelect;

/** What the indexes of public agents hold. */
export const isPublished = and(agents.isPublic, isNull(agents.deletedAt));

/** Whether the author's account is not disabled, in a query without it. */
export const isAuthorIn = sql`exists (select from ${user} where ${user.id} = ${agents.userId} and not ${user.banned})`;

/** A superset of the agents with these keys. */
export function areAgents(keys: readonly { userId: string; id: string }[]) {
  const [userIds, ids] = [keys.map(({ userId }) => userId), keys.map(({ id }) => id)];
  return and(inArray(agents.userId, userIds), inArray(agents.id, ids));
}

/** What everybody may see, in a query joined with the author: published, not deleted, and the author's account not disabled. */
export const isVisible = and(isPublished, eq(user.banned, false));
