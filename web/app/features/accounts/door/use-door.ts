import { DOOR_REFUSALS, type Door } from '@atelier/contract/accounts/door';
import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { useQuery } from '@tanstack/react-query';
import { callQuery, keys } from '../../../lib/query.ts';
import { useLinkToken } from '../link-token.tsx';

/** What the sign-up page says beforehand, and what it shows. */
interface OpenDoor {
  /** Whether somebody may try here at all; true until the server has said so. */
  isOpen: boolean;
  /** The invitation that counts, if the address has one. */
  invitation: string | undefined;
  notice: string | null;
}

const MODES: Record<Door['mode'], (door: Door) => string | null> = {
  open: () => null,
  invitation: () => DOOR_REFUSALS.INVITATION_NEEDED,
  domain: ({ domains }) =>
    domains.length === 0
      ? DOOR_REFUSALS.WRONG_DOMAIN
      : `Use an email address of ${new Intl.ListFormat('en', { type: 'disjunction' }).format(domains)}. It must be confirmed before you can log in.`,
  approval: () => 'The operator approves each new account before you can log in to it.',
  closed: () => DOOR_REFUSALS.SIGN_UP_CLOSED,
};

/** Who may open an account here, with the invitation in the page's address. */
export function useDoor(): OpenDoor {
  // Of anything longer the server would say no more than of an unknown one.
  const token = useLinkToken().slice(0, 200);
  const body = token === '' ? {} : { invitation: token };
  const { data } = useQuery(callQuery([...keys.door, token], signInCalls.door, { body }));
  if (data === undefined) return { isOpen: true, invitation: token || undefined, notice: null };
  const { mode, invitation } = data;
  const isInvited = invitation === 'open' && mode !== 'closed';
  const words = MODES[mode](data);
  const isOpen = isInvited || (mode !== 'closed' && mode !== 'invitation');
  if (isInvited) {
    return { isOpen, invitation: token, notice: 'You are invited to create an account here.' };
  }
  const problem = invitation === null || invitation === 'open' || mode === 'closed' ? null : DOOR_REFUSALS[invitation];
  const text = [problem, problem !== null && mode === 'invitation' ? null : words]
    .filter((one) => one !== null)
    .join(' ');
  return { isOpen, invitation: undefined, notice: text || null };
}
