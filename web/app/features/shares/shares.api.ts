import { type Share, type ShareUpdate, shareCalls, sharedPath } from '@atelier/contract/shares';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { refresh, refreshEach, useChange } from '../../lib/live/stale.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';
import type { Shareable } from '../../lib/share-open.ts';

/** The whole address of a link. */
export const shareAddress = ({ token }: Pick<Share, 'token'>) => `${location.origin}${sharedPath(token)}`;

/** The person's links, newest first: of one session, or all. */
export const useShares = (sessionId?: string) =>
  useQuery({
    queryKey: sessionId === undefined ? keys.shares : keys.sharesOf(sessionId),
    queryFn: async ({ signal }) => {
      if (sessionId === undefined) return (await call(shareCalls.list, { signal })).shares;
      return (await call(shareCalls.listOfSession, { params: { sessionId }, signal })).shares;
    },
  });

/** Creates a link; it is listed at the same moment as it is shown. */
export const useCreateShare = ({ sessionId, taskId }: Shareable) =>
  useMutation({
    mutationFn: async (options: { withReceipts: boolean; follows: boolean }) => {
      const body = { ...options, ...(taskId === undefined ? {} : { taskId }) };
      return (await call(shareCalls.create, { params: { sessionId }, body })).share;
    },
    onSuccess: (share) => {
      queryClient.setQueryData<Share[]>(keys.sharesOf(sessionId), (shares) => shares && [share, ...shares]);
      refresh('shares');
    },
  });

/** Changes what a link shows. */
export const useUpdateShare = () =>
  useChange(
    async ({ id: shareId, ...body }: ShareUpdate & { id: string }) =>
      (await call(shareCalls.update, { params: { shareId }, body })).share,
    'shares',
  );

/** Ends a link. */
export const useRevokeShare = () =>
  useChange((shareId: string) => call(shareCalls.revoke, { params: { shareId } }), 'shares');

/** What a link shows, for anyone who has it. */
export const useShared = (token: string) =>
  useQuery({
    ...callQuery(keys.shared(token), shareCalls.read, { params: { token } }),
    select: (answer) => answer.shared,
  });

/** Copies the link's agent into one's own. */
export const useCopyShared = (token: string) =>
  useMutation({
    mutationFn: async () => (await call(shareCalls.copy, { params: { token } })).agent,
    onSuccess: () => refreshEach('agents', 'account'),
  });
