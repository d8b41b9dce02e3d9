import { keyCalls } from '@atelier/contract/keys';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { confirmOwner } from '../accounts/ways-in/confirm-owner.service.ts';
import { createKey, getKey, listKeys, revokeKey } from './keys.service.ts';

export const keysRoutes = (deps: Deps) =>
  serve(keyCalls, {
    list: async ({ caller }) => ({ keys: await listKeys(deps, caller) }),
    create: async ({ caller, body }) => {
      await confirmOwner(deps, caller);
      return { key: await createKey(deps, caller, body) };
    },
    revoke: async ({ caller, params }) => revokeKey(deps, await getKey(deps, caller, params.keyId)),
  });
