import type { AccountMail, MailContext, Parts } from './account-mail.ts';
import { utc } from './mail-time.ts';

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
