import { DEFAULT_PASSWORD_RULES, describePasswordRules, passwordRules } from '@atelier/contract/accounts';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';

/** The rules for a new password in one sentence; the usual rules until the server has answered. */
export function usePasswordHint(): string {
  const { data } = useQuery({
    // Not among the shared keys: it doesn't change while the server runs.
    queryKey: ['password-rules'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => request(passwordRules, 'GET', '/api/auth/password-rules', undefined, { signal }),
  });
  return describePasswordRules(data ?? DEFAULT_PASSWORD_RULES);
}
