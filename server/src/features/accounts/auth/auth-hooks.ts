import type { Account } from 'better-auth';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { askToVerify } from '../accounts.email.service.ts';
import { createUserDocument, deleteSessions, recordSignIn } from '../accounts.service.ts';
import { queuePicture } from '../photos/photos.service.ts';
import { proveBySignIn } from '../ways-in/confirm-owner.service.ts';
import { mayLink, unlinkUnlessSignedIn } from '../ways-in/ways-in.service.ts';
import { callerOfCall, newSessionIds, signInTrace } from './call-notes.ts';

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
export const sessionHooks = (deps: Deps) => ({
  create: {
    after: async ({ id, userId }: { id: string; userId: string }, context: { path?: string } | null) => {
      const newSessions = newSessionIds.getStore();
      // Nobody signs in with it.
      if (newSessions !== undefined) return void newSessions.push(id);
      Object.assign(signInTrace.getStore() ?? {}, { userId, sessionId: id });
      await recordSignIn(deps, userId);
      await proveBySignIn(deps, { id, userId, isByProvider: context?.path === '/callback/:id' });
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
  // Not sent to an address that the provider has confirmed.
  await askToVerify(deps, tx, account.userId);
  const trace = signInTrace.getStore();
  if (trace === undefined) return;
  trace.isNew = true;
  if (account.providerId !== 'credential') await queuePicture(deps, tx, account.userId);
}
