import { type WayKind, wayKind } from '@atelier/contract/accounts/ways';
import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { apiKeys } from '../../keys/keys.table.ts';
import { mcpServers } from '../../mcp/mcp.table.ts';
import { shares } from '../../shares/shares.table.ts';
import { authAccount, passkeys, suspendedWays, twoFactor } from '../accounts.identity.table.ts';

interface WayTable {
  kind: WayKind;
  table: PgTable;
  /** Which rows of a person are ways in. */
  ofPerson: (userId: string) => SQL | undefined;
  /** What it is called, by a column of the row. */
  name: SQL;
}

const column = (text: string) => sql.raw(text);

/** Every table whose rows open an account, or show what is in it. */
const TABLES: WayTable[] = [
  { kind: 'passkey', table: passkeys, ofPerson: (uid) => eq(passkeys.userId, uid), name: column(`coalesce(name, '')`) },
  {
    kind: 'provider',
    table: authAccount,
    ofPerson: (uid) => and(eq(authAccount.userId, uid), ne(authAccount.providerId, 'credential')),
    name: column('provider_id'),
  },
  { kind: 'api_key', table: apiKeys, ofPerson: (uid) => eq(apiKeys.userId, uid), name: column(`name || ' …' || hint`) },
  { kind: 'link', table: shares, ofPerson: (uid) => eq(shares.userId, uid), name: column('title') },
];
const TWO_FACTOR: WayTable = {
  kind: 'two_factor',
  table: twoFactor,
  ofPerson: (uid) => and(eq(twoFactor.userId, uid), twoFactor.verified),
  name: column(`''`),
};
const tables = ({ twoFactor: isToo }: { twoFactor: boolean }) => (isToo ? [...TABLES, TWO_FACTOR] : TABLES);

/** What a tool server knows a person by; the server itself stays, signed out. */
const ofToolServers = (uid: string) => and(eq(mcpServers.userId, uid), isNotNull(mcpServers.secrets));

/** Which of the ways: not those with these ids, nor those that were added from a moment on. */
export interface WayFilter {
  ids?: readonly string[];
  from?: Date | null;
}

function unlessSpared({ ids = [], from = null }: WayFilter): SQL {
  const named = ids.length === 0 ? sql`true` : sql`id::text <> all(${sql.param([...ids])}::text[])`;
  return from === null ? named : sql`(${named} and coalesce(created_at < ${from.toISOString()}::timestamptz, true))`;
}

export interface Way {
  id: string;
  kind: WayKind;
  name: string;
  addedAt: Date | null;
}

const ids = z.object({ rows: z.array(z.object({ id: z.string() })) });
const foundWays = z.object({
  rows: z.array(z.object({ id: z.string(), kind: wayKind, name: z.string(), created_at: z.coerce.date() })),
});

/** The ways into an account that work, except its password and the caller's second factor, the newest first. */
export async function listWays(db: Db, userId: string): Promise<Way[]> {
  const parts = TABLES.map(
    ({ kind, table, ofPerson, name }) =>
      sql`select id::text, ${kind} as kind, ${name} as name, created_at from ${table} where ${ofPerson(userId)}`,
  );
  const servers = sql`select id::text, 'tool_server', name, created_at from ${mcpServers} where ${ofToolServers(userId)}`;
  const all = sql.join([...parts, servers], sql` union all `);
  const result = await db.execute(sql`select * from (${all}) as way order by created_at desc, id`);
  return foundWays.parse(result).rows.map(({ created_at, ...way }) => ({ ...way, addedAt: created_at }));
}

/** Moves the ways in that aren't spared out of their tables; returns how many. */
export async function moveAway(
  tx: Tx,
  userId: string,
  { twoFactor: isToo, spared }: { twoFactor: boolean; spared: WayFilter },
): Promise<number> {
  const into = sql`insert into ${suspendedWays} (user_id, id, kind, name, added_at, row)`;
  let moved = 0;
  const run = async (statement: SQL) => {
    moved += ids.parse(await tx.execute(sql`${statement} returning id::text`)).rows.length;
  };
  for (const { kind, table, ofPerson, name } of tables({ twoFactor: isToo })) {
    await run(sql`with gone as (delete from ${table} where ${ofPerson(userId)} and ${unlessSpared(spared)} returning *)
      ${into} select user_id, gen_random_uuid(), ${kind}, ${name}, created_at, to_jsonb(gone) from gone`);
  }
  const before = sql`select user_id, id, name, created_at, secrets, signed_out from ${mcpServers}
    where ${ofToolServers(userId)} and ${unlessSpared(spared)} for update`;
  await run(sql`with before as (${before}), emptied as (update ${mcpServers} as server set secrets = null, signed_out = true
      from before where server.user_id = before.user_id and server.id = before.id)
    ${into} select user_id, gen_random_uuid(), 'tool_server', name, created_at, to_jsonb(before) from before`);
  return moved;
}

type Suspended = Pick<typeof suspendedWays.$inferSelect, 'kind' | 'row'>;

/** Puts a row back as it was; false when its tool server is gone. Throws where what it belongs to is gone or its place is taken. */
export async function moveBack(tx: Tx, { kind, row }: Suspended): Promise<boolean> {
  const json = JSON.stringify(row);
  if (kind === 'tool_server') {
    const changed = await tx.execute(sql`update ${mcpServers} as server
      set secrets = was.secrets, signed_out = was.signed_out
      from jsonb_to_record(${json}::jsonb) as was(user_id text, id uuid, secrets text, signed_out boolean)
      where server.user_id = was.user_id and server.id = was.id and server.secrets is null returning server.id::text`);
    return ids.parse(changed).rows.length > 0;
  }
  const { table } = tables({ twoFactor: true }).find((one) => one.kind === kind) ?? TWO_FACTOR;
  await tx.execute(sql`insert into ${table} select * from jsonb_populate_record(null::${table}, ${json}::jsonb)`);
  return true;
}
