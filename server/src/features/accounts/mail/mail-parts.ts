import type { AccountMail, MailContext, Parts } from './account-mail.ts';

const utc = (instant: string) =>
  `${new Date(instant).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

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
const suspendedNote = (count: number, page: string) =>
  count === 1
    ? `One other way into it, or a link to what is in it, doesn’t work until you keep it, within 30 days: ${page}`
    : `${count} other ways into it, or links to what is in it, don’t work until you keep them, within 30 days: ${page}`;

/** The mail about the first proof of an email, where it has suspended something. */
export const emailConfirmedParts = (suspended: number, { email, pages }: MailContext): Parts => ({
  subject: 'your email is confirmed',
  lead: `You have confirmed that ${email} is yours. Until then somebody else could have added ways into your account.`,
  notes: [suspendedNote(suspended, pages.account)],
});

/** The mail to somebody whose new account the operator lets in. */
export const approvedParts = ({ email, pages }: MailContext): Parts => ({
  subject: 'your account is ready',
  lead: `The operator has approved your account ${email}. You can log in now.`,
  action: { label: 'Log in', url: pages.account },
  notes: [`If you didn’t ask for an account, write to us: ${pages.contact}`],
});

/** The mail to the author of a public agent that the operator has made private. */
export const agentUnpublishedParts = (
  { name, reason }: Extract<AccountMail, { kind: 'agent_unpublished' }>,
  { pages }: MailContext,
): Parts => ({
  subject: 'one of your agents is no longer public',
  lead: 'The operator has made one of your public agents private. You still have it, and others keep the copies that they made.',
  facts: [
    ['Agent', name],
    ['Reason', reason],
  ],
  notes: [`If you have a question about it, write to us: ${pages.contact}`],
});

/** The operator's reply to a message of the contact page. */
export const replyParts = (mail: Extract<AccountMail, { kind: 'reply' }>, { pages }: MailContext): Parts => ({
  subject: 'reply to your message',
  lead: mail.text,
  notes: [`To write again: ${pages.contact}`, `You wrote on ${utc(mail.at)}:`, mail.message],
});

/** The mail about a payment. */
export function receiptParts(mail: Extract<AccountMail, { kind: 'receipt' }>, { email, pages }: MailContext): Parts {
  return {
    subject: mail.isRehearsal ? 'receipt of a test payment' : 'receipt of your payment',
    lead: mail.isRehearsal
      ? 'This is the receipt of a test payment: no money moved.'
      : 'Thank you! Your payment arrived, and your account is Pro, for life.',
    facts: [
      ['What', 'Pro, lifetime access'],
      ['Amount', mail.amount],
      ['Paid', utc(mail.paidAt)],
      ['Reference', mail.reference],
      ['Account', email],
    ],
    notes: [
      'It is a one-time payment; there is nothing to renew or cancel.',
      `If it wasn’t you, write to us with the reference: ${pages.contact}`,
    ],
  };
}

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

/** A stranger may have signed up with an operator's address, and a careless click would make theirs an operator's account. */
const OPERATOR =
  ' By confirming you become an operator of this server: this account will be able to manage every other. Use the link only if the account is your own.';

/** Mails with a link that proves who opens it. */
export function linkParts(
  kind: 'reset' | 'verify' | 'change_email',
  { email, makesOperator = false, link, pages }: MailContext,
): Parts {
  if (kind === 'reset') {
    return {
      subject: 'reset your password',
      lead: `Somebody asked to reset the password of your account ${email}.`,
      action: { label: 'Choose a new password', url: link },
      notes: [
        'The link works once, within 30 minutes. Choosing a new password signs out all your devices.',
        'If it wasn’t you, do nothing: your password stays as it is. Nobody can use the link without reading your mail.',
      ],
    };
  }
  if (kind === 'verify') {
    return {
      subject: 'confirm your email',
      lead: `Please confirm that ${email} is yours.${makesOperator ? OPERATOR : ''}`,
      action: { label: 'Confirm this email', url: link },
      notes: [
        'The link works for a day. Your account works without it too.',
        `If it wasn’t you, somebody signed up with your address. Don’t use the link, and tell us: ${pages.contact}`,
      ],
    };
  }
  return {
    subject: 'confirm your new email',
    lead: `Somebody asked to use ${email} for their account from now on.${makesOperator ? OPERATOR : ''}`,
    action: { label: 'Use this email', url: link },
    notes: [
      'The link works once, within an hour. Until then the account keeps its old email.',
      'If it wasn’t you, do nothing: without the link nothing changes.',
    ],
  };
}
