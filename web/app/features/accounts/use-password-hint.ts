import { DEFAULT_PASSWORD_RULES, describePasswordRules } from '@atelier/contract/accounts';
import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../lib/query.ts';

/** The rules for a new password in one sentence; the usual rules until the server has answered. */
export function usePasswordHint(): string {
  const { data } = useQuery({
    // Not among the shared keys: it doesn't change while the server runs.
    ...callQuery(['password-rules'], signInCalls.passwordRules),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return describePasswordRules(data ?? DEFAULT_PASSWORD_RULES);
}
