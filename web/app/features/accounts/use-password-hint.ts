import { DEFAULT_PASSWORD_RULES, describePasswordRules } from '@atelier/contract/accounts';
import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';

/** The rules for a new password in one sentence; the usual rules until the server has answered. */
export function usePasswordHint(): string {
  const { data } = useQuery({
    // Not among the shared keys: it doesn't change while the server runs.
    queryKey: ['password-rules'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call(signInCalls.passwordRules, { signal }),
  });
  return describePasswordRules(data ?? DEFAULT_PASSWORD_RULES);
}
