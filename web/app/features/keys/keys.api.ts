import { type KeyCreate, keysAnswer, newKeyAnswer } from '@atelier/contract/programs/keys';
import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { asOwner } from '../../lib/auth/as-owner.ts';
import { request } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';

/** An agent that a key may be limited to. */
export interface ChosenAgent {
  id: string;
  name: string;
}

/** The person's API keys, newest first. */
export const useApiKeys = () =>
  useQuery({
    queryKey: keys.apiKeys,
    queryFn: async ({ signal }) => (await request(keysAnswer, 'GET', '/api/keys', undefined, { signal })).keys,
  });

/** Makes a key; the answer has its secret, this once. */
export const useCreateKey = () =>
  useMutation({
    mutationFn: async (key: KeyCreate) => (await asOwner(() => request(newKeyAnswer, 'POST', '/api/keys', key))).key,
    onSuccess: () => refresh('keys'),
  });

/** Revokes a key; what uses it is refused from then on. */
export const useRevokeKey = () =>
  useMutation({
    mutationFn: (id: string) => request(z.unknown(), 'DELETE', `/api/keys/${encodeURIComponent(id)}`),
    onSettled: () => refresh('keys'),
  });
