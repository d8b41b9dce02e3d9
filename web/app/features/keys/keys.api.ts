import { type KeyCreate, keyCalls } from '@atelier/contract/keys';
import { useMutation, useQuery } from '@tanstack/react-query';
import { asOwner } from '../../lib/auth/as-owner.ts';
import { call } from '../../lib/http.ts';
import { refresh, useChange } from '../../lib/live/stale.ts';
import { callQuery, keys } from '../../lib/query.ts';

/** An agent that a key may be limited to. */
export interface ChosenAgent {
  id: string;
  name: string;
}

/** The person's API keys, newest first. */
export const useApiKeys = () =>
  useQuery({ ...callQuery(keys.apiKeys, keyCalls.list), select: (answer) => answer.keys });

/** Makes a key; the answer has its secret, this once. */
export const useCreateKey = () =>
  useMutation({
    mutationFn: async (body: KeyCreate) => (await asOwner(() => call(keyCalls.create, { body }))).key,
    onSuccess: () => refresh('keys'),
  });

/** Revokes a key; what uses it is refused from then on. */
export const useRevokeKey = () => useChange((keyId: string) => call(keyCalls.revoke, { params: { keyId } }), 'keys');
