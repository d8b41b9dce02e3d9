import type { PeopleQuery, Person, PersonAct, PersonDetails } from '@atelier/contract/operator/people';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, decodeTextCursor, page } from '../../platform/http/cursor.ts';
import { canMailPeople } from '../accounts/accounts.mail.service.ts';
import { ACCOUNT_ACTS, type AccountAct, deleteByOperator } from './account-acts.service.ts';
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
  { cursor, limit, ...view }: PeopleQuery,
): Promise<{ people: Person[]; nextCursor: string | null }> {
  const { sort } = view;
  const after = sort === 'email' ? decodeTextCursor(cursor) : decodeCursor(cursor);
  const people = await peopleRows(ctx.db, view, after, limit + 1);
  const { rows, nextCursor } = page(people, limit, (row) => positionIn(sort, row));
  return { people: rows.map(toPerson), nextCursor };
}

async function getPerson(ctx: Pick<Deps, 'db'>, id: string) {
  const row = await personRow(ctx.db, id);
  if (row === undefined) throw notFound('This account');
  return row;
}

/** One account for the operator `actorId`. Throws 404. */
export async function readPerson(
  ctx: Pick<Deps, 'db' | 'mail' | 'config' | 'trust'>,
  actorId: string,
  id: string,
): Promise<{ person: PersonDetails; mail: boolean }> {
  const { disabledReason, publishingBlocked, passkeys, ...shown } = await getPerson(ctx, id);
  const grants = await grantsOf(ctx.db, id);
  const person = {
    ...toPerson(shown),
    disabledReason,
    publishingBlocked,
    passkeys,
    holdings: await countHoldings(ctx.db, id),
    grants: grants.map(({ at, ...grant }) => ({ at: at.toISOString(), ...grant })),
    isOwn: id === actorId,
  };
  return { person, mail: canMailPeople(ctx) };
}

const NOT_WAITING = 'This account isn’t waiting.';
const NOTHING_CHANGED: Partial<Record<PersonAct, string>> = {
  approve: NOT_WAITING,
  'reset-link': 'This server can’t send mail. Create a link with: npm run admin -- reset-link EMAIL',
  'remove-factor': 'This account has no second factor.',
  'remove-passkeys': 'This account has no passkeys.',
  'grant-pro': 'This account is Pro already.',
  'take-pro': 'This account is Free already.',
  'block-publishing': 'This account is blocked already.',
  'unblock-publishing': 'This account is not blocked.',
};

/** Does one act of the page on an account, and answers how it is then. Throws 404, and 409 where the act changes nothing. */
export async function actOnPerson(
  ctx: Deps,
  act: AccountAct,
  what: PersonAct,
): Promise<{ person: PersonDetails; mail: boolean }> {
  if (what === 'disable') refuseOwn(act);
  const { email } = await getPerson(ctx, act.userId);
  if (!(await ACCOUNT_ACTS[what](ctx, { ...act, email }))) {
    throw new AppError('conflict', NOTHING_CHANGED[what] ?? 'Nothing has changed.');
  }
  return readPerson(ctx, act.actorId ?? '', act.userId);
}

/** Throws 409 for the operator's own account: nobody may lock themselves out here. */
function refuseOwn({ actorId, userId }: Pick<AccountAct, 'actorId' | 'userId'>): void {
  if (actorId === userId) throw new AppError('conflict', 'This is your own account. It can’t be changed here.');
}

/** Deletes a new account that waits to be let in. Throws 404, and 409 where it doesn't wait. */
export async function rejectPerson(ctx: Deps, act: AccountAct): Promise<void> {
  const { email } = await getPerson(ctx, act.userId);
  if (!(await ACCOUNT_ACTS.reject(ctx, { ...act, email }))) throw new AppError('conflict', NOT_WAITING);
}

/** Deletes an account. Throws 404, and 409 for the operator's own, and unless `email` is the account's: so nobody deletes the wrong one. */
export async function deletePerson(ctx: Deps, act: AccountAct, email: string): Promise<void> {
  refuseOwn(act);
  const person = await getPerson(ctx, act.userId);
  if (person.email !== email.trim().toLowerCase()) {
    throw new AppError('conflict', 'This is not the email of the account.', { field: 'email' });
  }
  await deleteByOperator(ctx, { ...act, email: person.email });
}
