import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { customType, text } from 'drizzle-orm/pg-core';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Db } from '../../../platform/database/database.ts';
import { sqlFunction } from '../../../platform/database/sql-function.ts';
import type { Position } from '../../../platform/http/cursor.ts';
import { passkeys, verification } from '../accounts.identity.table.ts';
import { user } from '../accounts.table.ts';
import { accountActivity } from './activity.table.ts';

/** Of one event an account keeps so many rows at most, however often strangers cause it. */
export const ROWS_OF_EVENT = 100;
/** Rows that one deletion of old ones takes at once. */
const PORTION = 1_000;

/** Whose account it is; the statement finds it, so that one with that email costs as much as none. */
export type Target =
  | { uid: string }
  | { email: string }
  /** A sign-in that waits for its code. */
  | { challenge: string }
  | { credentialId: string };

function isTarget(target: Target): SQL {
  if ('uid' in target) return eq(user.id, target.uid);
  if ('email' in target) return eq(user.email, target.email.trim().toLowerCase());
  if ('challenge' in target) {
    return sql`${user.id} = (select ${verification.value} from ${verification} where ${eq(verification.identifier, target.challenge)} limit 1)`;
  }
  return sql`${user.id} = (select ${passkeys.userId} from ${passkeys} where ${eq(passkeys.credentialID, target.credentialId)})`;
}

export interface Note {
  event: ActivityEvent;
  count: number;
  network: string | null;
  device: string | null;
  signInId: string | null;
  about: string | null;
}

const nothing = customType<{ data: null }>({ dataType: () => 'void' });
const atelierNotify = sqlFunction(
  'atelier_notify',
  { userId: text('uid').notNull(), topic: text('topic').notNull(), id: text('id').notNull() },
  nothing(),
);
const idRows = z.object({ rows: z.array(z.object({ id: z.string() })) });

/**
 * Stores what happened and returns the account's id; null where there is none. One statement: the same within an hour is counted in its row,
 * what is more than an account keeps of the event goes, and open pages hear of a new row.
 */
export async function storeNote(db: Db, target: Target, note: Note): Promise<string | null> {
  const { event, count, network, device, signInId, about } = note;
  const orNull = (value: string | null) => sql`${value}::text`;
  const notice = atelierNotify.call({ userId: sql`user_id`, topic: 'activity', id: '' });
  const result = await db.execute(sql`
    with person as (select ${user.id} as id from ${user} where ${isTarget(target)}),
    same as (
      select one.id from ${accountActivity} one join person on one.user_id = person.id
      where one.event = ${event} and one.since > now() - interval '1 hour'
        and (one.network, one.device, one.sign_in_id, one.about)
          is not distinct from (${orNull(network)}, ${orNull(device)}, ${orNull(signInId)}, ${orNull(about)})
      order by one.at desc limit 1),
    noted as (
      insert into ${accountActivity} as kept (user_id, id, event, count, network, device, sign_in_id, about)
      select person.id, coalesce((select id from same), ${uuidv7()}::uuid), ${event}, ${count}::int, ${orNull(network)}, ${orNull(device)},
        ${orNull(signInId)}, ${orNull(about)} from person
      on conflict (user_id, id) do update set count = kept.count + excluded.count, at = excluded.at
      returning kept.user_id, kept.count),
    gone as (
      delete from ${accountActivity} old using person where old.user_id = person.id and old.id in (
        select one.id from ${accountActivity} one where one.user_id = person.id and one.event = ${event}
        order by one.at desc offset ${ROWS_OF_EVENT}))
    select user_id as id, case when noted.count = ${count}::int then ${notice} end from noted`);
  return idRows.parse(result).rows[0]?.id ?? null;
}

/** An account's activity, the latest first. */
export const activityOf = (db: Db, uid: string, before: Position | undefined, limit: number) =>
  db
    .select()
    .from(accountActivity)
    .where(
      and(
        eq(accountActivity.userId, uid),
        before &&
          sql`(${accountActivity.at}, ${accountActivity.id}) < (${before.at.toISOString()}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(accountActivity.at), desc(accountActivity.id))
    .limit(limit);

/** Deletes a portion of what is older; returns whether there may be more. */
export async function deleteOlder(db: Db, days: number): Promise<boolean> {
  const old = lt(accountActivity.at, sql`now() - make_interval(days => ${days})`);
  const portion = db
    .select({ userId: accountActivity.userId, id: accountActivity.id })
    .from(accountActivity)
    .where(old)
    .limit(PORTION);
  const gone = await db
    .delete(accountActivity)
    .where(sql`(${accountActivity.userId}, ${accountActivity.id}) in ${portion}`)
    .returning({ id: accountActivity.id });
  return gone.length === PORTION;
}
