import type { AccountMail, MailContext, Parts } from './account-mail.ts';
import { utc } from './mail-time.ts';
import { suspendedNote } from './way-in-mails.ts';

type Notice = Extract<AccountMail, { kind: 'email_changed' | 'password_changed' | 'two_factor' | 'new_device' }>;

/** Mails about a change of the account, or a new device. */
export function noticeParts(mail: Notice, { email, pages }: MailContext): Parts {
  const reset = `reset your password at ${pages.forgot}`;
  switch (mail.kind) {
    case 'email_changed':
      return {
        subject: 'your email was changed',
        lead: `The email of your account was changed from ${email} to ${mail.to}.`,
        notes: [
          'From now on you log in with the new one.',
          `If it wasn’t you, write to us at once, from this address: ${pages.contact}`,
        ],
      };
    case 'password_changed':
      return {
        subject: 'your password was changed',
        lead:
          mail.by === 'reset'
            ? `The password of your account ${email} was reset by a link, and all devices were signed out.`
            : `The password of your account ${email} was changed.`,
        notes: [
          ...(mail.suspended ? [suspendedNote(mail.suspended, pages.account)] : []),
          `If it wasn’t you, ${reset}, then sign out the devices you don’t know at ${pages.account}`,
        ],
      };
    case 'two_factor':
      return twoFactorParts(mail, { email, pages });
    case 'new_device':
      return {
        subject: 'a new device signed in',
        lead: `Your account ${email} was signed in to on a device that we don’t know.`,
        facts: [
          ['Device', mail.device],
          ['Address', mail.address],
          ['Time', utc(mail.at)],
        ],
        notes: [
          'If it was you, there is nothing to do.',
          `If it wasn’t you, somebody knows your password: ${reset}. That signs out all devices.`,
        ],
      };
  }
}

function twoFactorParts(
  { on, reason }: Extract<AccountMail, { kind: 'two_factor' }>,
  { email, pages }: Omit<MailContext, 'link'>,
): Parts {
  const byOperator: Pick<Parts, 'facts'> = {
    facts: [
      ['Removed by', 'the people who run this server'],
      ['Reason', reason ?? ''],
    ],
  };
  return {
    subject: `two-factor authentication is ${on ? 'on' : 'off'}`,
    lead: on
      ? `Logging in to your account ${email} now asks for a code from your app as well.`
      : `Logging in to your account ${email} needs only the password again.`,
    ...(reason === undefined ? {} : byOperator),
    notes: [`If it wasn’t you, reset your password at ${pages.forgot}, then look at ${pages.account}`],
  };
}
