import type { AccountMail, MailContext, Parts } from './account-mail.ts';
import { utc } from './mail-time.ts';

/** The mail about a way to sign in that was added or taken away. */
export function wayInParts(
  { way, isAdded }: Extract<AccountMail, { kind: 'way_in' }>,
  { email, pages }: MailContext,
): Parts {
  return {
    subject: isAdded ? 'a new way to sign in' : 'a way to sign in was removed',
    lead: isAdded
      ? `From now on ${way} also opens your account ${email}.`
      : `Your account ${email} can no longer be signed in to with ${way}.`,
    notes: [
      `If it wasn’t you, reset your password at ${pages.forgot} – that signs out all devices – then look at “Signing in” at ${pages.account}`,
    ],
  };
}

/** The mail about a new API key. */
export function apiKeyParts(mail: Extract<AccountMail, { kind: 'api_key' }>, { email, pages }: MailContext): Parts {
  const reach = mail.agents === 1 ? '1 agent' : `${mail.agents} agents`;
  return {
    subject: 'a new API key',
    lead: `An API key was created for your account ${email}. Programs use it to act for you.`,
    facts: [
      ['Key', `ends in ${mail.hint}`],
      ['May', mail.scopes.join(' and ')],
      ['Reaches', mail.agents === null ? 'all your agents' : reach],
      ['Time', utc(mail.at)],
    ],
    notes: [
      'If it was you, there is nothing to do.',
      `If it wasn’t you, somebody is signed in to your account: revoke the key at ${pages.account} and reset your password at ${pages.forgot} – that signs out all devices.`,
    ],
  };
}

/** The mail about recovery codes that replace others. */
export const recoveryCodesParts = ({ email, pages }: MailContext): Parts => ({
  subject: 'new recovery codes',
  lead: `New recovery codes were made for your account ${email}. The old ones don’t work any more.`,
  notes: [
    `If it wasn’t you, reset your password at ${pages.forgot} – that signs out all devices – then look at “Signing in” at ${pages.account}`,
  ],
});

/** What a mail says of ways in that were suspended. */
export const suspendedNote = (count: number, page: string) =>
  count === 1
    ? `One other way into it, or a link to what is in it, doesn’t work until you keep it, within 30 days: ${page}`
    : `${count} other ways into it, or links to what is in it, don’t work until you keep them, within 30 days: ${page}`;

/** The mail about the first proof of an email, where it has suspended something. */
export const emailConfirmedParts = (suspended: number, { email, pages }: MailContext): Parts => ({
  subject: 'your email is confirmed',
  lead: `You have confirmed that ${email} is yours. Until then somebody else could have added ways into your account.`,
  notes: [suspendedNote(suspended, pages.account)],
});
