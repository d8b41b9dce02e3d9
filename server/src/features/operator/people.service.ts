import type { PeopleQuery, Person, PersonDetails } from '@atelier/contract/operator/people';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, decodeTextCursor, page } from '../../platform/http/cursor.ts';
import { canMailPeople } from '../accounts/accounts.mail.service.ts';
import { type AccountAct, deleteByOperator } from './account-acts.service.ts';
import { countHoldings, grantsOf, type PersonRow, peopleRows, personRow, positionIn } from './people.queries.ts';

function toPerson({ lastSignIn, createdAt, lastSignInAt, lastExchangeAt, ...row }: PersonRow): Person {
  const seen = Math.max(lastSignInAt === null ? 0 : lastSignIn.getTime(), lastExchangeAt?.getTime() ?? 0);
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    lastSeenAt: seen === 0 ? null : new Date(seen).toISOString(),
  };
}

/** A page of the accounts, with counts and sizes. Throws 400 for a cursor of another list. */
export async function listPeople(
  ctx: Pick<Deps, 'db'>,
  { cursor, limit, search, sort }: PeopleQuery,
): Promise<{ people: Person[]; nextCursor: string | null }> {
  const after = sort === 'email' ? decodeTextCursor(cursor) : decodeCursor(cursor);
  const found = await peopleRows(ctx.db, { search, sort }, after, limit + 1);
  const { rows, nextCursor } = page(found, limit, (row) => positionIn(sort, row));
  return { people: rows.map(toPerson), nextCursor };
}

/** One account for the operator `actorId`. Throws 404. */
export async function readPerson(
  ctx: Pick<Deps, 'db' | 'mail' | 'config' | 'trust'>,
  actorId: string,
  id: string,
): Promise<{ person: PersonDetails; mail: boolean }> {
  const row = await personRow(ctx.db, id);
  if (row === undefined) throw notFound('This account');
  const { disabledReason, publishingBlocked, ...shown } = row;
  const grants = await grantsOf(ctx.db, id);
  const person = {
    ...toPerson(shown),
    disabledReason,
    publishingBlocked,
    holdings: await countHoldings(ctx.db, id),
    grants: grants.map(({ at, ...grant }) => ({ at: at.toISOString(), ...grant })),
    isOwn: id === actorId,
  };
  return { person, mail: canMailPeople(ctx) };
}

/** Does one act of the page on an account, and answers how it is then. Throws 404, and 409 where the act changes nothing. */
export async function actOnPerson(
  ctx: Deps,
  act: AccountAct,
  change: (email: string) => Promise<boolean | void>,
  refusal = '',
): Promise<{ person: PersonDetails; mail: boolean }> {
  const row = await personRow(ctx.db, act.userId);
  if (row === undefined) throw notFound('This account');
  if ((await change(row.email)) === false) throw new AppError('conflict', refusal);
  return readPerson(ctx, act.actorId ?? '', act.userId);
}

/** Throws 409 for the operator's own account: nobody may lock themselves out here. */
export function refuseOwn({ actorId, userId }: Pick<AccountAct, 'actorId' | 'userId'>): void {
  if (actorId === userId) throw new AppError('conflict', 'This is your own account. It can’t be changed here.');
}

/** Deletes an account. Throws 404, and 409 unless `email` is the account's: so nobody deletes the wrong one. */
export async function deletePerson(ctx: Deps, act: AccountAct, email: string): Promise<void> {
  const row = await personRow(ctx.db, act.userId);
  if (row === undefined) throw notFound('This account');
  if (row.email !== email.trim().toLowerCase()) {
    throw new AppError('conflict', 'This is not the email of the account.', { field: 'email' });
  }
  await deleteByOperator(ctx, { ...act, email: row.email });
}
