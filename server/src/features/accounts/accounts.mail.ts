import { PRODUCT_NAME } from '@atelier/contract/product';

/** A mail to a person, without its links: those are made when it is sent. */
export type AccountMail =
  /** The address may have no account; then nothing is sent. */
  | { kind: 'reset' }
  | { kind: 'verify' }
  /** To the new address. */
  | { kind: 'change_email' }
  /** To the old address. */
  | { kind: 'email_changed'; to: string }
  | { kind: 'password_changed'; by: 'person' | 'reset' }
  | { kind: 'two_factor'; on: boolean }
  | { kind: 'new_device'; device: string; address: string; at: string }
  /** A provider's account, a passkey or a password was added to the ways in, or taken away. */
  | { kind: 'way_in'; way: string; isAdded: boolean }
  /** `hint` is the end of the secret; `agents` how many the key reaches, null for all. */
  | { kind: 'api_key'; hint: string; scopes: string[]; agents: number | null; at: string }
  | { kind: 'receipt'; reference: string; amount: string; paidAt: string; isRehearsal: boolean };

/** What the words of a mail need to know. */
export interface MailContext {
  email: string;
  /** The link with its token, where the mail has one. */
  link: string;
  /** The pages to reset a password, of the account, and to write to the operator. */
  pages: { forgot: string; account: string; contact: string };
}

export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

/** A mail's parts in their order; text and HTML are made from the same. */
interface Parts {
  subject: string;
  lead: string;
  facts?: [label: string, value: string][];
  action?: { label: string; url: string };
  /** What else to know. */
  notes: string[];
}

/** Writes a mail, as text and as HTML with the same words. */
export function composeMail(mail: AccountMail, context: MailContext): ComposedMail {
  const parts = partsOf(mail, context);
  return { subject: `${PRODUCT_NAME}: ${parts.subject}`, text: asText(parts), html: asHtml(parts) };
}

const utc = (instant: string) =>
  `${new Date(instant).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

function partsOf(mail: AccountMail, context: MailContext): Parts {
  switch (mail.kind) {
    case 'reset':
    case 'verify':
    case 'change_email':
      return linkParts(mail.kind, context);
    case 'receipt':
      return receiptParts(mail, context);
    case 'way_in':
      return wayInParts(mail, context);
    case 'api_key':
      return apiKeyParts(mail, context);
    default:
      return noticeParts(mail, context);
  }
}

function linkParts(kind: 'reset' | 'verify' | 'change_email', { email, link, pages }: MailContext): Parts {
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
      lead: `Please confirm that ${email} is yours.`,
      action: { label: 'Confirm this email', url: link },
      notes: [
        'The link works for a day. Your account works without it too.',
        `If it wasn’t you, somebody signed up with your address. Don’t use the link, and tell us: ${pages.contact}`,
      ],
    };
  }
  return {
    subject: 'confirm your new email',
    lead: `Somebody asked to use ${email} for their account from now on.`,
    action: { label: 'Use this email', url: link },
    notes: [
      'The link works once, within an hour. Until then the account keeps its old email.',
      'If it wasn’t you, do nothing: without the link nothing changes.',
    ],
  };
}

function receiptParts(mail: Extract<AccountMail, { kind: 'receipt' }>, { email, pages }: MailContext): Parts {
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

function noticeParts(mail: Notice, { email, pages }: MailContext): Parts {
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
        notes: [`If it wasn’t you, ${reset}, then sign out the devices you don’t know at ${pages.account}`],
      };
    case 'two_factor':
      return {
        subject: `two-factor authentication is ${mail.on ? 'on' : 'off'}`,
        lead: mail.on
          ? `Logging in to your account ${email} now asks for a code from your app as well.`
          : `Logging in to your account ${email} needs only the password again.`,
        notes: [`If it wasn’t you, ${reset}, then look at ${pages.account}`],
      };
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

function wayInParts({ way, isAdded }: Extract<AccountMail, { kind: 'way_in' }>, { email, pages }: MailContext): Parts {
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

function apiKeyParts(mail: Extract<AccountMail, { kind: 'api_key' }>, { email, pages }: MailContext): Parts {
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

/** Without the display name: somebody could sign up with another's address and put words of theirs into our mail. */
const GREETING = 'Hello,';

function asText(parts: Parts): string {
  const facts = parts.facts?.map(([label, value]) => `${label}: ${value}`).join('\n');
  const action = parts.action && `${parts.action.label}:\n${parts.action.url}`;
  return [GREETING, parts.lead, facts, action, ...parts.notes, PRODUCT_NAME]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

const ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/gu, (sign) => ESCAPES.get(sign) ?? sign);

// Mail programs know little CSS and drop style sheets, so every element carries its own.
const FONT = 'font:16px/1.5 system-ui,-apple-system,sans-serif;color:#2b2723';
const p = (html: string, style = '') => `<p style="margin:0 0 16px;${style}">${html}</p>`;

function asHtml(parts: Parts): string {
  const facts = parts.facts?.map(
    ([label, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#6b645c;vertical-align:top">${escapeHtml(label)}</td><td style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  const { action } = parts;
  const button =
    action &&
    `<a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:10px;background:#a8452a;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a>`;
  const small = 'font-size:14px;color:#6b645c';
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>',
    `<body style="margin:0;padding:24px 16px;background:#f6f2ec;${FONT}">`,
    `<div style="max-width:520px;margin:0 auto;padding:28px;border:1px solid #e3dbd0;border-radius:10px;background:#fffdfa;${FONT}">`,
    p(escapeHtml(PRODUCT_NAME), 'font-weight:600;font-size:18px'),
    p(escapeHtml(GREETING)),
    p(escapeHtml(parts.lead)),
    facts
      ? `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse;${FONT}">${facts.join('')}</table>`
      : '',
    button ? p(button) : '',
    action ? p(`Or open this address:<br>${escapeHtml(action.url)}`, `${small};overflow-wrap:anywhere`) : '',
    ...parts.notes.map((note) => p(escapeHtml(note), small)),
    '</div></body></html>',
  ].join('');
}
