import { invitationCalls } from '@atelier/contract/accounts/invitations';
import type { Deps } from '../../../platform/deps.ts';
import { serve } from '../../../serve.ts';
import { invite, listInvitations, removeInvitation } from './invitations.service.ts';

/** What members do with invitations of their own. */
export const invitationRoutes = (deps: Deps) =>
  serve(invitationCalls, {
    list: ({ caller }) => listInvitations(deps, caller),
    create: async ({ caller, body }) => ({ invitation: await invite(deps, caller, body) }),
    remove: ({ caller, params }) => removeInvitation(deps, caller, params.invitationId),
  });
