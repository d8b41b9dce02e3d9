import type { Account } from 'better-auth';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { askToVerify } from '../accounts.email.service.ts';
import { createUserDocument, isLinked, recordSignIn } from '../accounts.service.ts';
import { queuePicture } from '../photos/fetch-picture.service.ts';
import { proveBySignIn } from '../ways-in/confirm-owner.service.ts';
import { keptSession, signInTrace } from './call-notes.ts';

/** What we do when an account opens. */
export const accountHooks = (deps: Deps, currentTx: () => Tx | undefined) => ({
  create: {
    // better-auth's own “after” hooks run after the transaction; this one runs inside it, after the user's insert.
    before: async (account: Account & Record<string, unknown>) => {
      const open = currentTx();
      // Two that were begun at once: the second one is refused as it comes back.
      if (open === undefined && (await isLinked(deps, account.userId, account.providerId))) return false;
      const welcome = (tx: Tx) => welcomeUser(deps, tx, { ...account, isNew: open !== undefined });
      await (open === undefined ? deps.db.transaction(welcome) : welcome(open));
      return { data: { ...account, ...NO_TOKENS } };
    },
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
      const kept = keptSession.getStore();
      // Nobody signs in with it.
      if (kept !== undefined) return void kept.push(id);
      Object.assign(signInTrace.getStore() ?? {}, { userId, sessionId: id });
      await recordSignIn(deps, userId);
      await proveBySignIn(deps, { id, userId, isByProvider: context?.path === '/callback/:id' });
    },
  },
  delete: { before: async () => keptSession.getStore() === undefined },
});

async function welcomeUser(deps: Deps, tx: Tx, account: { userId: string; isNew: boolean }): Promise<void> {
  await createUserDocument(tx, account.userId);
  if (!account.isNew) return;
  // Not sent to an address that the provider has confirmed.
  await askToVerify(deps, tx, account.userId);
  const trace = signInTrace.getStore();
  if (trace === undefined) return;
  trace.isNew = true;
  await queuePicture(deps, tx, account.userId);
}
