import { DOOR_REFUSALS, WAITING } from '@atelier/contract/accounts/door';
import { SENTENCES } from '@atelier/contract/errors';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** What people read when they come back from a provider without being signed in. */
const PROBLEMS = new Map<string, string>([
  ...Object.entries(DOOR_REFUSALS),
  ...Object.values(WAITING).map(({ code, sentence }) => [code, sentence] as const),
  [
    'account_not_linked',
    'There is an account with this email already. Log in to it, then link the other account on the page “Account” under “Signing in”.',
  ],
  ['BANNED_USER', SENTENCES.accountDisabled],
  ['access_denied', 'You cancelled the sign-in, so nothing changed.'],
  ['email_not_found', 'Your account there shares no email with us. Add one there, or sign up with your email.'],
  [
    'account_already_linked_to_different_user',
    'That account is linked to another account here. Sign in with it, and unlink it there first.',
  ],
  [
    'invalid_code',
    'The provider did not accept this sign-in. Sign in another way, or tell the operator: the server’s log says why.',
  ],
  ['unable_to_get_user_info', 'The provider did not say who you are. Please try again later.'],
  ['unable_to_link_account', 'Another account there is linked already. Unlink it first.'],
  ['issuer_mismatch', 'The answer came from another provider than the one you chose. Please try again.'],
  ['TOO_MANY_REQUESTS', 'Too many attempts. Please wait a minute and try again.'],
  ['state_mismatch', 'This took too long, or began in another browser. Please try again.'],
  ['state_not_found', 'This took too long, or began in another browser. Please try again.'],
]);

/** Why the way back from a provider ended here, in a sentence; null when it didn't. Known a moment after the page is there. */
export function useSignInProblem(): string | null {
  const { search } = useLocation();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const code = new URLSearchParams(search).get('error');
    setProblem(code === null ? null : (PROBLEMS.get(code) ?? 'The sign-in failed. Please try again.'));
  }, [search]);
  return problem;
}
