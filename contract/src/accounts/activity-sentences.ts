import { PROVIDER_NAMES, signInProvider } from '../accounts.ts';

/** A way to sign in, or the name of a key, passkey or link; and how often it happened, or how many it concerns. */
interface ActivityDetails {
  about: string | null;
  name: string | null;
  count: number;
}

const WAYS = new Map([
  ['password', 'a password'],
  ['passkey', 'a passkey'],
  ['code', 'a code of the second factor'],
  ['recovery_code', 'a recovery code'],
]);

/** The account at Google, for example, or another way to sign in. */
function wayOf({ about }: ActivityDetails): string {
  const provider = signInProvider.safeParse(about);
  return provider.success ? `an account at ${PROVIDER_NAMES[provider.data]}` : (WAYS.get(about ?? '') ?? 'another way');
}

const quoted = ({ name }: ActivityDetails) => (name === null || name === '' ? '' : ` “${name}”`);
const many = ({ count }: ActivityDetails, one: string, several: string) => (count === 1 ? one : `${count} ${several}`);
const times = ({ count }: ActivityDetails) => (count === 1 ? '' : `, ${count} times`);

/** What concerns an account's safety, in plain sentences without their full stops. See docs/running.md. */
export const ACTIVITY_SENTENCES = {
  account_opened: (details) => `Opened this account with ${wayOf(details)}`,
  sign_in: (details) => `Signed in with ${wayOf(details)}`,
  sign_in_failed: (details) => {
    if (details.about === 'disabled') return `Sign-in refused while the account was disabled${times(details)}`;
    if (details.about === 'waiting') return `Sign-in refused before the account was let in${times(details)}`;
    return details.about === 'password'
      ? `Wrong password at sign-in${times(details)}`
      : `Failed to sign in with ${wayOf(details)}${times(details)}`;
  },
  sign_in_slowed: (details) => `Sign-in refused after too many wrong passwords${times(details)}`,
  code_asked: (details) =>
    `${details.about === 'password' ? 'Right password' : `Signed in with ${wayOf(details)}`}, and a code was asked for${times(details)}`,
  code_refused: (details) =>
    `${details.about === 'used' ? 'Code of the second factor that had been used' : 'Wrong code of the second factor'}${times(details)}`,
  recovery_code_used: () => 'Used a recovery code',
  signed_out: () => 'Signed out',
  device_signed_out: (details) => many(details, 'Signed out a device', 'devices signed out'),
  password_refused: (details) => `Wrong password when confirming a change${times(details)}`,
  password_changed: () => 'Changed the password',
  password_set: () => 'Set a password',
  reset_asked: (details) => `Asked for a link to reset the password${times(details)}`,
  reset_link_made: () => 'The operator made a link to reset the password',
  password_reset: ({ about }) =>
    about === 'operator_reset'
      ? 'Reset the password by a link of the operator’s'
      : 'Reset the password by a mailed link',
  link_refused: () => 'Link refused that had been used or was too old',
  email_change_asked: () => 'Asked to change the email',
  email_changed: () => 'Changed the email',
  email_confirmed: () => 'Confirmed the email',
  ways_suspended: (details) => many(details, 'Suspended a way into the account', 'ways into the account suspended'),
  ways_kept: (details) =>
    many(details, 'Kept a suspended way into the account', 'suspended ways into the account kept'),
  passkey_added: (details) => `Added the passkey${quoted(details)}`,
  passkey_removed: () => 'Removed a passkey',
  provider_linked: (details) => `Linked ${wayOf(details)}`,
  provider_unlinked: (details) => `Unlinked ${wayOf(details)}`,
  two_factor_on: () => 'Turned on the second factor',
  two_factor_off: () => 'Turned off the second factor',
  recovery_codes_made: () => 'Made new recovery codes',
  key_made: (details) => `Made the API key${quoted(details)}`,
  key_revoked: () => 'Revoked an API key',
  key_refused: (details) => `The API key${quoted(details)} tried what it may not do${times(details)}`,
  key_unknown: () => 'API key refused that doesn’t exist',
  share_made: (details) => `Shared a link${quoted(details) && ` to${quoted(details)}`}`,
  share_removed: () => 'Removed a shared link',
  data_exported: (details) => `Exported everything${times(details)}`,
  account_approved: () => 'The operator let the new account in',
  account_disabled: () => 'The operator disabled the account',
  account_enabled: () => 'The operator enabled the account again',
  account_deleted: () => 'Deleted the account',
  refused: (details) => `Tried what this sign-in may not do${times(details)}`,
} satisfies Record<string, (details: ActivityDetails) => string>;
