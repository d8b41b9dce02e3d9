import type { Config } from '../../../config.ts';

/** Our fields on the user, which no client can set. */
export const OWN_FIELDS = {
  phoneNumber: { type: 'string', required: false, input: false },
  lastSignInAt: { type: 'date', required: false, input: false },
} as const;

/** Accounts at Google and GitHub. Only a signed-in person links them; a new sign-in with an email in use is refused with that reason. */
export const PROVIDER_ACCOUNTS = {
  updateAccountOnSignIn: false,
  accountLinking: {
    disableImplicitLinking: true,
    // The email there may be another than here: the person is signed in at both.
    allowDifferentEmails: true,
    trustedProviders: ['google', 'github'],
  },
};

/** How long a sign-in lasts. */
export const sessionLife = ({ SESSION_SECONDS, SESSION_FIXED }: Config) => ({
  expiresIn: SESSION_SECONDS,
  disableSessionRefresh: SESSION_FIXED,
  // Using a session prolongs it once a tenth of its life (at most a day) has passed.
  updateAge: Math.min(24 * 60 * 60, Math.floor(SESSION_SECONDS / 10)),
  // Whether a change needs a fresh proof is our decision, see `confirmOwner`.
  freshAge: 0,
  // A cached session would let a disabled account continue.
  cookieCache: { enabled: false },
});
