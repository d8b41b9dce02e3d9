import { DEFAULT_PASSWORD_RULES, describePasswordRules, passwordRules } from '@atelier/contract/accounts';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';

/** What a new password needs here, in one sentence; the usual rules until the server has answered. */
export function usePasswordHint(): string {
  const { data } = useQuery({
    // Not among the shared keys: nothing changes it while the server runs.
    queryKey: ['password-rules'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => request(passwordRules, 'GET', '/api/auth/password-rules', undefined, { signal }),
  });
  return describePasswordRules(data ?? DEFAULT_PASSWORD_RULES);
}
