import {
  type Share,
  type ShareUpdate,
  shareAnswer,
  sharedAnswer,
  sharedCopyAnswer,
  sharedPath,
  sharesAnswer,
} from '@atelier/contract/sharing/shares';
import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { refresh, refreshEach } from '../../lib/live/stale.ts';
import { keys, queryClient } from '../../lib/query.ts';
import type { Shareable } from '../../lib/share-open.ts';

const ofSession = (sessionId: string) => `/api/sessions/${encodeURIComponent(sessionId)}/shares`;
const one = (id: string) => `/api/shares/${encodeURIComponent(id)}`;

/** The whole address of a link. */
export const shareAddress = ({ token }: Pick<Share, 'token'>) => `${location.origin}${sharedPath(token)}`;

/** The person's links, newest first: of one session, or all. */
export const useShares = (sessionId?: string) =>
  useQuery({
    queryKey: sessionId === undefined ? keys.shares : keys.sharesOf(sessionId),
    queryFn: async ({ signal }) => {
      const path = sessionId === undefined ? '/api/shares' : ofSession(sessionId);
      return (await request(sharesAnswer, 'GET', path, undefined, { signal })).shares;
    },
  });

/** Creates a link; it is listed at the same moment as it is shown. */
export const useCreateShare = ({ sessionId, taskId }: Shareable) =>
  useMutation({
    mutationFn: async (options: { withReceipts: boolean; follows: boolean }) => {
      const body = { ...options, ...(taskId === undefined ? {} : { taskId }) };
      return (await request(shareAnswer, 'POST', ofSession(sessionId), body)).share;
    },
    onSuccess: (share) => {
      queryClient.setQueryData<Share[]>(keys.sharesOf(sessionId), (shares) => shares && [share, ...shares]);
      refresh('shares');
    },
  });

/** Changes what a link shows. */
export const useUpdateShare = () =>
  useMutation({
    mutationFn: async ({ id, ...change }: ShareUpdate & { id: string }) =>
      (await request(shareAnswer, 'PATCH', one(id), change)).share,
    onSettled: () => refresh('shares'),
  });

/** Ends a link. */
export const useRevokeShare = () =>
  useMutation({
    mutationFn: (id: string) => request(z.unknown(), 'DELETE', one(id)),
    onSettled: () => refresh('shares'),
  });

const shown = (token: string) => `/api/shared/${encodeURIComponent(token)}`;

/** What a link shows, for anyone who has it. */
export const useShared = (token: string) =>
  useQuery({
    queryKey: keys.shared(token),
    queryFn: async ({ signal }) => (await request(sharedAnswer, 'GET', shown(token), undefined, { signal })).shared,
  });

/** Copies the link's agent into one's own. */
export const useCopyShared = (token: string) =>
  useMutation({
    mutationFn: async () => (await request(sharedCopyAnswer, 'POST', `${shown(token)}/copy`)).agent,
    onSuccess: () => refreshEach('agents', 'account'),
  });
