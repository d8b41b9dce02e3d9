import type { MailContext, Parts } from './account-mail.ts';

/** Mails with a link that proves who opens it. */
export function linkParts(kind: 'reset' | 'verify' | 'change_email', { email, link, pages }: MailContext): Parts {
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
