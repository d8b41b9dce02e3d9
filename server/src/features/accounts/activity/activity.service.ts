import { ACTIVITY_DAYS, type Activity, type ActivityEvent, describeDevice } from '@atelier/contract/accounts/activity';
import type { PageQuery } from '@atelier/contract/ids';
import type { Context } from 'hono';
import type { Caller } from '../../../access.ts';
import { prefixOf } from '../../../platform/client-address.ts';
import type { Deps } from '../../../platform/deps.ts';
import { decodeCursor, page } from '../../../platform/http/cursor.ts';
import { requestOrigin } from '../../../platform/http/request-origin.ts';
import type { SignInTrace } from '../auth/call-notes.ts';
import { listWays } from '../suspension/ways.queries.ts';
import { activityOf, deleteOlder, type Note, storeNote, type Target } from './activity.queries.ts';

type Ctx = Pick<Deps, 'db' | 'log'>;

interface More {
  /** A way to sign in, or an id. Never a name, an address or another word of a person. */
  about?: string | undefined;
  /** How many it concerns. */
  count?: number;
  /** The sign-in that has just begun; otherwise the caller's. */
  signInId?: string | undefined;
  /** The call, for the log alone. */
  route?: string;
}

/**
 * Notes what happened to an account: a line in the log, and a row that its owner sees. Call it when it has happened, outside of the
 * transaction: it never throws, so that nothing fails for want of its note, and costs one statement.
 */
export async function noteActivity(ctx: Ctx, uid: string, event: ActivityEvent, more: More = {}): Promise<void> {
  await note(ctx, { uid }, event, more);
}

/** Notes how many ways in an account has lost, unless none. */
export async function noteSuspended(ctx: Ctx, uid: string, count: number): Promise<void> {
  if (count > 0) await noteActivity(ctx, uid, 'ways_suspended', { count });
}

/** Notes what a sign-in came to, with the way that it took. */
export async function noteTraced(ctx: Ctx, trace: SignInTrace, event: ActivityEvent, about: string): Promise<void> {
  if (trace.userId !== undefined) await noteActivity(ctx, trace.userId, event, { about, signInId: trace.sessionId });
}

/**
 * Notes what somebody tried who isn't known to be anybody: of an account, or of none. It doesn't wait, so that the answer's time doesn't tell
 * whether there is an account, and one sender is noted at most 60 times a minute for each event.
 */
export function noteAttempt(ctx: Ctx, target: Target | null, event: ActivityEvent, more: More = {}): void {
  if (requestOrigin.getStore()?.isWorthNoting(event) !== false) void note(ctx, target, event, more);
}

async function note(ctx: Ctx, target: Target | null, event: ActivityEvent, more: More): Promise<void> {
  const origin = requestOrigin.getStore();
  const row: Note = {
    event,
    count: more.count ?? 1,
    network: origin === undefined ? null : prefixOf(origin.address),
    device: origin === undefined ? null : describeDevice(origin.userAgent),
    about: more.about ?? null,
    signInId: more.signInId ?? origin?.caller?.signInId ?? null,
  };
  const uid = target !== null && 'uid' in target ? target.uid : null;
  const account =
    target === null
      ? null
      : await storeNote(ctx.db, target, row).catch((error: unknown) => {
          ctx.log.error('activity.not_kept', error, { activity: event });
          return null;
        });
  const { network, device, about, count } = row;
  const key = origin?.caller?.keyId;
  ctx.log.info(`security.${event}`, { account: account ?? uid, network, device, about, count, key, route: more.route });
}

/** For the one error handler: notes that a request was refused a right, by whoever was known to send it. */
export const noteRefusal = (ctx: Ctx) => (event: ActivityEvent, c: Context) => {
  const { uid, keyId } = requestOrigin.getStore()?.caller ?? {};
  const refused = keyId === undefined ? event : 'key_refused';
  const route = `${c.req.method} ${c.req.routePath}`;
  noteAttempt(ctx, uid === undefined ? null : { uid }, refused, { about: keyId, route });
};

/** The caller's activity of the last 90 days, the latest first. */
export async function listActivity(
  ctx: Pick<Deps, 'db'>,
  { uid, authSessionId }: Caller,
  query: PageQuery,
): Promise<{ activity: Activity[]; nextCursor: string | null }> {
  const entries = await activityOf(ctx.db, uid, decodeCursor(query.cursor), query.limit + 1);
  const { rows, nextCursor } = page(entries, query.limit, ({ at, id }) => ({ at, id }));
  const names = new Map((await listWays(ctx.db, uid)).map(({ id, name }) => [id, name]));
  const activity = rows.map(({ id, event, at, count, network, device, signInId, about }) => ({
    id,
    event,
    at: at.toISOString(),
    count,
    network,
    device,
    about,
    name: names.get(about ?? '') ?? null,
    isHere: signInId !== null && signInId === authSessionId,
  }));
  return { activity, nextCursor };
}

export const ACTIVITY_QUEUE = 'accounts.activity';

/** Deletes what is older than 90 days, in portions. */
export async function forgetOldActivity(ctx: Pick<Deps, 'db'>): Promise<void> {
  while (await deleteOlder(ctx.db, ACTIVITY_DAYS));
}
