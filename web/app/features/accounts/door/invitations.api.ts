import { invitationCalls } from '@atelier/contract/accounts/invitations';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/http.ts';
import { useChange } from '../../../lib/live/stale.ts';
import { callQuery, keys } from '../../../lib/query.ts';

/** The person's open invitations; not shown where only the operator invites and none is left from before. */
export function useInvitations() {
  const query = useQuery(callQuery(keys.invitations, invitationCalls.list));
  const { data } = query;
  const most = data?.most ?? 0;
  return { ...query, isShown: data !== undefined && (most > 0 || data.invitations.length > 0) };
}

/** Makes an invitation for so many people and days. */
export const useInvite = () =>
  useChange((body: { people: number; days: number }) => call(invitationCalls.create, { body }), 'settings');

/** Ends an invitation by its id. */
export const useRemoveInvitation = () =>
  useChange((invitationId: string) => call(invitationCalls.remove, { params: { invitationId } }), 'settings');
