import { PROVIDER_NAMES, signInProvider } from '@atelier/contract/accounts';
import type { Activity, ActivityEvent } from '@atelier/contract/accounts/activity';

type ActivityDetails = Pick<Activity, 'about' | 'name' | 'count'>;

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

const SENTENCES: Record<ActivityEvent, (told: ActivityDetails) => string> = {
  account_opened: (told) => `Opened this account with ${wayOf(told)}`,
  sign_in: (told) => `Signed in with ${wayOf(told)}`,
  sign_in_failed: (told) => {
    if (told.about === 'disabled') return `Sign-in refused while the account was disabled${times(told)}`;
    if (told.about === 'waiting') return `Sign-in refused before the account was let in${times(told)}`;
    return told.about === 'password'
      ? `Wrong password at sign-in${times(told)}`
      : `Failed to sign in with ${wayOf(told)}${times(told)}`;
  },
  sign_in_slowed: (told) => `Sign-in refused after too many wrong passwords${times(told)}`,
  code_asked: (told) =>
    `${told.about === 'password' ? 'Right password' : `Signed in with ${wayOf(told)}`}, and a code was asked for${times(told)}`,
  code_refused: (told) =>
    `${told.about === 'used' ? 'Code of the second factor that had been used' : 'Wrong code of the second factor'}${times(told)}`,
  recovery_code_used: () => 'Used a recovery code',
  signed_out: () => 'Signed out',
  device_signed_out: (told) => many(told, 'Signed out a device', 'devices signed out'),
  password_refused: (told) => `Wrong password when confirming a change${times(told)}`,
  password_changed: () => 'Changed the password',
  password_set: () => 'Set a password',
  reset_asked: (told) => `Asked for a link to reset the password${times(told)}`,
  reset_link_made: () => 'The operator made a link to reset the password',
  password_reset: ({ about }) =>
    about === 'operator_reset'
      ? 'Reset the password by a link of the operator’s'
      : 'Reset the password by a mailed link',
  link_refused: () => 'Link refused that had been used or was too old',
  email_change_asked: () => 'Asked to change the email',
  email_changed: () => 'Changed the email',
  email_confirmed: () => 'Confirmed the email',
  ways_suspended: (told) => many(told, 'Suspended a way into the account', 'ways into the account suspended'),
  ways_kept: (told) => many(told, 'Kept a suspended way into the account', 'suspended ways into the account kept'),
  passkey_added: (told) => `Added the passkey${quoted(told)}`,
  passkey_removed: () => 'Removed a passkey',
  provider_linked: (told) => `Linked ${wayOf(told)}`,
  provider_unlinked: (told) => `Unlinked ${wayOf(told)}`,
  two_factor_on: () => 'Turned on the second factor',
  two_factor_off: () => 'Turned off the second factor',
  recovery_codes_made: () => 'Made new recovery codes',
  key_made: (told) => `Made the API key${quoted(told)}`,
  key_revoked: () => 'Revoked an API key',
  key_refused: (told) => `The API key${quoted(told)} tried what it may not do${times(told)}`,
  key_unknown: () => 'API key refused that doesn’t exist',
  share_made: (told) => `Shared a link${quoted(told) && ` to${quoted(told)}`}`,
  share_removed: () => 'Removed a shared link',
  data_exported: (told) => `Exported everything${times(told)}`,
  account_approved: () => 'The operator let the new account in',
  account_disabled: () => 'The operator disabled the account',
  account_enabled: () => 'The operator enabled the account again',
  account_deleted: () => 'Deleted the account',
  refused: (told) => `Tried what this sign-in may not do${times(told)}`,
};

/** What happened, in a plain sentence without its full stop. */
export const activityWords = (activity: ActivityDetails & Pick<Activity, 'event'>): string =>
  SENTENCES[activity.event](activity);

const LOCAL = /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./;

/** Where it came from, as far as that is kept: the first part of an address. */
export function networkWords(network: string): string {
  if (network.startsWith('127.') || network.startsWith('0:0:0:')) return 'the server’s own computer';
  const first = network.includes(':') ? network.replace(/::\/48$/, ':…') : network.replace(/0\/24$/, '…');
  return LOCAL.test(network) ? `the local network (${first})` : first;
}
