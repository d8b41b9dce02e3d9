import type { Deps } from '../../../platform/deps.ts';
import { consumeAttempt } from '../limits/attempts.service.ts';

/** How often the identity provider may be asked. */
export function rateLimits(deps: Deps) {
  return {
    enabled: true,
    window: 60,
    max: 100,
    customRules: {
      // These two are counted before anything of them is read, see accounts.routes.
      '/sign-in/email': false as const,
      '/sign-up/email': false as const,
      // Every open page asks this now and then; it costs one read and reveals nothing.
      '/get-session': false as const,
      // Five wrong codes end a sign-in, ten close the second factor for a quarter of an hour; the rest asks for the password, see accounts.settings.
      '/two-factor/*': false as const,
      // Counted by our routes.
      '/sign-in/social': false as const,
      '/callback/*': false as const,
      '/passkey/*': false as const,
    },
    customStorage: { consume: (key: string, rule: { window: number; max: number }) => consumeAttempt(deps, key, rule) },
  };
}
