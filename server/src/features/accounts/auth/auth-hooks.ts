import { DOOR_REFUSALS, WAITING } from '@atelier/contract/accounts/door';
import type { Account } from 'better-auth';
import { APIError, getOAuthState } from 'better-auth/api';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { queueNotice } from '../accounts.mail.service.ts';
import { createUserDocument, deleteSessions, recordSignIn } from '../accounts.service.ts';
import { admit, openByEmail, waitOf } from '../door/door.service.ts';
import { grantByRule } from '../door/plan.queries.ts';
import { PICTURE_QUEUE } from '../photos/photos.service.ts';
import { proveBySignIn } from '../ways-in/confirm-owner.service.ts';
import { mayLink, unlinkUnlessSignedIn } from '../ways-in/ways-in.service.ts';
import { callerOfCall, newSessionIds, signInTrace } from './call-notes.ts';

/** Who opens an account comes through the door first, in the transaction that creates the user. */
export const userHooks = (deps: Deps, currentTx: () => Tx | undefined) => ({
  create: {
    before: async (person: { email: string; emailVerified: boolean } & Record<string, unknown>) => {
      const trace = signInTrace.getStore() ?? {};
      const emailVerified = trace.provider === undefined ? null : person.emailVerified;
      const { email } = person;
      const ofState: unknown = (await getOAuthState())?.invitation;
      const invitation = trace.invitation ?? (typeof ofState === 'string' ? ofState : undefined);
      const enter = (tx: Tx) => admit(tx, { email, emailVerified, invitation });
      const open = currentTx();
      const admission = await (open === undefined ? deps.db.transaction(enter) : enter(open));
      if ('refusal' in admission) throw refusedAs(admission.refusal, DOOR_REFUSALS[admission.refusal]);
      trace.admission = admission;
      return { data: { ...person, waitingFor: admission.waitingFor } };
    },
  },
  update: {
    // On this way better-auth changes a user only where the provider is the first to confirm the email.
    after: async ({ id, email, emailVerified }: Confirmed, context: { path?: string } | null) => {
      if (!emailVerified || context?.path !== CALLBACK) return;
      await deps.db.transaction((tx) => openByEmail(tx, id, email));
    },
  },
});

type Confirmed = { id: string; email: string; emailVerified: boolean };
/** Where better-auth ends a sign-in by a provider. */
const CALLBACK = '/callback/:id';

const refusedAs = (code: string, message: string) => new APIError('FORBIDDEN', { code, message });

/** What we do when an account opens. */
export const accountHooks = (deps: Deps, currentTx: () => Tx | undefined) => ({
  create: {
    // better-auth's own “after” hooks run after the transaction; this one runs inside it, after the user's insert.
    before: async (account: Account & Record<string, unknown>) => {
      const open = currentTx();
      if (open === undefined && !(await mayLink(deps, account))) return false;
      const welcome = (tx: Tx) => welcomeUser(deps, tx, { ...account, isNew: open !== undefined });
      await (open === undefined ? deps.db.transaction(welcome) : welcome(open));
      return { data: { ...account, ...NO_TOKENS } };
    },
    after: (account: Account) => unlinkUnlessSignedIn(deps, account),
  },
});

/** We ask a provider once, who it is; its tokens are worth nothing to us. */
const NO_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
};

/** What we do when somebody signs in or out. */
export const sessionHooks = (deps: Deps, currentTx: () => Tx | undefined) => ({
  create: {
    before: async ({ userId }: { userId: string }) => {
      // With the account itself a session is stored that the sign-up's route ends, see accounts.routes.
      const waitingFor = currentTx() === undefined ? await waitOf(deps, userId) : null;
      if (waitingFor === null) return;
      throw refusedAs(WAITING[waitingFor].code, WAITING[waitingFor].sentence);
    },
    after: async ({ id, userId }: { id: string; userId: string }, context: { path?: string } | null) => {
      const newSessions = newSessionIds.getStore();
      // Nobody signs in with it.
      if (newSessions !== undefined) return void newSessions.push(id);
      Object.assign(signInTrace.getStore() ?? {}, { userId, sessionId: id });
      await recordSignIn(deps, userId);
      await proveBySignIn(deps, { id, userId, isByProvider: context?.path === CALLBACK });
      await endReplaced(deps);
    },
  },
  delete: { before: async () => newSessionIds.getStore() === undefined },
});

/** By then the browser's other tabs have the new cookie: hearing of the end before would sign them out. */
const REPLACED_ENDS_AFTER_MS = 500;

/** Ends the session that the browser had before, whose cookie the new one replaces. */
async function endReplaced(deps: Deps): Promise<void> {
  const { authSessionId: id } = (await callerOfCall.getStore()?.()) ?? {};
  if (id === undefined) return;
  const end = () => deleteSessions(deps, [id]).catch((error: unknown) => deps.log.error('identity.replaced', error));
  setTimeout(() => void end(), REPLACED_ENDS_AFTER_MS).unref();
}

async function welcomeUser(
  deps: Deps,
  tx: Tx,
  account: Pick<Account, 'userId' | 'providerId'> & { isNew: boolean },
): Promise<void> {
  await createUserDocument(tx, account.userId);
  if (!account.isNew) return;
  const trace = signInTrace.getStore();
  const proBecause = trace?.admission?.proBecause ?? null;
  if (proBecause !== null) await grantByRule(tx, account.userId, proBecause);
  // Not sent to an address that the provider has confirmed.
  await queueNotice(deps, tx, account.userId, { kind: 'verify' });
  if (trace === undefined) return;
  trace.isNew = true;
  if (account.providerId !== 'credential') await deps.jobs.send(tx, PICTURE_QUEUE, { userId: account.userId });
}
