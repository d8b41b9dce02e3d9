import { shareCalls } from '@atelier/contract/shares';
import { createClientAddress, networkOf } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { toAgent } from '../agents/agents.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { copySharedAgent, readShared } from './shared.service.ts';
import { createShare, getShare, listShares, revokeShare, updateShare } from './shares.service.ts';

/** Links to sessions and answers, and what they show to anyone who has them. */
export function sharesRoutes(deps: Deps) {
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  return serve(shareCalls, {
    listOfSession: async ({ caller, params }) => {
      const { id } = await getSession(deps.db, caller.uid, params.sessionId);
      return { shares: await listShares(deps, caller, id) };
    },
    create: async ({ caller, params, body }) => {
      const session = await getSession(deps.db, caller.uid, params.sessionId);
      return { share: await createShare(deps, caller, session, body) };
    },
    list: async ({ caller }) => ({ shares: await listShares(deps, caller) }),
    update: async ({ caller, params, body }) => {
      const share = await getShare(deps, caller, params.shareId);
      return { share: await updateShare(deps, caller, share, body) };
    },
    revoke: async ({ caller, params }) => revokeShare(deps, await getShare(deps, caller, params.shareId)),
    read: async ({ c, params }) => {
      c.get('bounds').spend(networkOf(addressOf(c)), 'shared');
      const shared = await readShared(deps, params.token);
      c.header('X-Robots-Tag', 'noindex');
      return { shared };
    },
    copy: async ({ caller, params }) => ({ agent: toAgent(await copySharedAgent(deps, caller, params.token)) }),
  });
}
