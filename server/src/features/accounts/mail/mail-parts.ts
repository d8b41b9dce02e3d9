import type { AccountMail, MailContext, Parts } from './account-mail.ts';

const utc = (instant: string) =>
  `${new Date(instant).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

/** What a mail says of ways in that were suspended. */
const suspendedNote = (count: number, page: string) =>
  count === 1
    ? `One other way into it, or a link to what is in it, doesn’t work until you keep it, within 30 days: ${page}`
    : `${count} other ways into it, or links to what is in it, don’t work until you keep them, within 30 days: ${page}`;

/** What ends somebody else's access; without passwords the operator does. */
const lockOut = ({ forgot, contact }: MailContext['pages'], more = '', otherwise = '') =>
  forgot === null ? `write to us at ${contact}${otherwise}` : `reset your password at ${forgot}${more}`;

const lookAtSigningIn = (pages: MailContext['pages']) =>
  `If it wasn’t you, ${lockOut(pages, ' – that signs out all devices –', ',')} then look at “Signing in” at ${pages.account}`;

const removedByOperator = (reason: string | undefined): Pick<Parts, 'facts'> =>
  reason === undefined
    ? {}
    : {
        facts: [
          ['Removed by', 'the people who run this server'],
          ['Reason', reason],
        ],
      };

/** A stranger may have signed up with an operator's address, and a careless click would make theirs an operator's account. */
const OPERATOR =
  ' By confirming you become an operator of this server: this account will be able to manage every other. Use the link only if the account is your own.';

type Words = { [K in AccountMail['kind']]: (mail: Extract<AccountMail, { kind: K }>, context: MailContext) => Parts };

const WORDS: Words = {
  reset: (_, { email, link }) => ({
    subject: 'reset your password',
    lead: `Somebody asked to reset the password of your account ${email}.`,
    action: { label: 'Choose a new password', url: link },
    notes: [
      'The link works once, within 30 minutes. Choosing a new password signs out all your devices.',
      'If it wasn’t you, do nothing: your password stays as it is. Nobody can use the link without reading your mail.',
    ],
  }),
  verify: (_, { email, makesOperator, isNeeded, link, pages }) => ({
    subject: 'confirm your email',
    lead: `Please confirm that ${email} is yours.${makesOperator ? OPERATOR : ''}`,
    action: { label: 'Confirm this email', url: link },
    notes: [
      `The link works for a day.${isNeeded ? '' : ' Your account works without it too.'}`,
      `If it wasn’t you, somebody signed up with your address. Don’t use the link, and tell us: ${pages.contact}`,
    ],
  }),
  change_email: (_, { email, makesOperator, link }) => ({
    subject: 'confirm your new email',
    lead: `Somebody asked to use ${email} for their account from now on.${makesOperator ? OPERATOR : ''}`,
    action: { label: 'Use this email', url: link },
    notes: [
      'The link works once, within an hour. Until then the account keeps its old email.',
      'If it wasn’t you, do nothing: without the link nothing changes.',
    ],
  }),
  email_changed: ({ to }, { email, pages }) => ({
    subject: 'your email was changed',
    lead: `The email of your account was changed from ${email} to ${to}.`,
    notes: [
      'From now on you log in with the new one.',
      `If it wasn’t you, write to us at once, from this address: ${pages.contact}`,
    ],
  }),
  email_confirmed: ({ suspended }, { email, pages }) => ({
    subject: 'your email is confirmed',
    lead: `You have confirmed that ${email} is yours. Until then somebody else could have added ways into your account.`,
    notes: [suspendedNote(suspended, pages.account)],
  }),
  password_changed: ({ by, suspended }, { email, pages }) => ({
    subject: 'your password was changed',
    lead:
      by === 'reset'
        ? `The password of your account ${email} was reset by a link, and all devices were signed out.`
        : `The password of your account ${email} was changed.`,
    notes: [
      ...(suspended ? [suspendedNote(suspended, pages.account)] : []),
      `If it wasn’t you, ${lockOut(pages)}, then sign out the devices you don’t know at ${pages.account}`,
    ],
  }),
  recovery_codes: (_, { email, pages }) => ({
    subject: 'new recovery codes',
    lead: `New recovery codes were made for your account ${email}. The old ones don’t work any more.`,
    notes: [lookAtSigningIn(pages)],
  }),
  approved: (_, { email, pages }) => ({
    subject: 'your account is ready',
    lead: `The operator has approved your account ${email}. You can log in now.`,
    action: { label: 'Log in', url: pages.account },
    notes: [`If you didn’t ask for an account, write to us: ${pages.contact}`],
  }),
  reply: ({ text, at, message }, { pages }) => ({
    subject: 'reply to your message',
    lead: text,
    notes: [`To write again: ${pages.contact}`, `You wrote on ${utc(at)}:`, message],
  }),
  two_factor: ({ on, reason }, { email, pages }) => ({
    subject: `two-factor authentication is ${on ? 'on' : 'off'}`,
    lead: on
      ? `Logging in to your account ${email} now asks for a code from your app as well.`
      : `Logging in to your account ${email} needs only the password again.`,
    ...removedByOperator(reason),
    notes: [`If it wasn’t you, ${lockOut(pages)}, then look at ${pages.account}`],
  }),
  new_device: ({ device, address, at }, { email, pages }) => ({
    subject: 'a new device signed in',
    lead: `Your account ${email} was signed in to on a device that we don’t know.`,
    facts: [
      ['Device', device],
      ['Address', address],
      ['Time', utc(at)],
    ],
    notes: [
      'If it was you, there is nothing to do.',
      `If it wasn’t you, ${pages.forgot === null ? '' : 'somebody knows your password: '}${lockOut(pages, '. That signs out all devices.')}`,
    ],
  }),
  way_in: ({ way, isAdded, reason }, { email, pages }) => ({
    subject: isAdded ? 'a new way to sign in' : 'a way to sign in was removed',
    lead: isAdded
      ? `From now on ${way} also opens your account ${email}.`
      : `Your account ${email} can no longer be signed in to with ${way}.`,
    ...removedByOperator(reason),
    notes: [lookAtSigningIn(pages)],
  }),
  api_key: ({ hint, scopes, agents, at }, { email, pages }) => ({
    subject: 'a new API key',
    lead: `An API key was created for your account ${email}. Programs use it to act for you.`,
    facts: [
      ['Key', `ends in ${hint}`],
      ['May', scopes.join(' and ')],
      ['Reaches', agents === null ? 'all your agents' : agents === 1 ? '1 agent' : `${agents} agents`],
      ['Time', utc(at)],
    ],
    notes: [
      'If it was you, there is nothing to do.',
      `If it wasn’t you, somebody is signed in to your account: revoke the key at ${pages.account} and ${lockOut(pages, ' – that signs out all devices.')}`,
    ],
  }),
  agent_unpublished: ({ name, reason }, { pages }) => ({
    subject: 'one of your agents is no longer public',
    lead: 'The operator has made one of your public agents private. You still have it, and others keep the copies that they made.',
    facts: [
      ['Agent', name],
      ['Reason', reason],
    ],
    notes: [`If you have a question about it, write to us: ${pages.contact}`],
  }),
  receipt: ({ reference, amount, paidAt, isRehearsal }, { email, pages }) => ({
    subject: isRehearsal ? 'receipt of a test payment' : 'receipt of your payment',
    lead: isRehearsal
      ? 'This is the receipt of a test payment: no money moved.'
      : 'Thank you! Your payment arrived, and your account is Pro, for life.',
    facts: [
      ['What', 'Pro, lifetime access'],
      ['Amount', amount],
      ['Paid', utc(paidAt)],
      ['Reference', reference],
      ['Account', email],
    ],
    notes: [
      'It is a one-time payment; there is nothing to renew or cancel.',
      `If it wasn’t you, write to us with the reference: ${pages.contact}`,
    ],
  }),
};

/** The parts of a mail in their order. */
export const mailParts = (mail: AccountMail, context: MailContext): Parts =>
  (WORDS[mail.kind] as (mail: AccountMail, context: MailContext) => Parts)(mail, context);
