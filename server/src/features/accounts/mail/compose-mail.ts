import { PRODUCT_NAME } from '@atelier/contract/product';
import type { AccountMail, MailContext, Parts } from './account-mail.ts';
import { linkParts } from './link-mails.ts';
import { asHtml } from './mail-as-html.ts';
import { asText } from './mail-as-text.ts';
import { noticeParts } from './notice-mails.ts';
import { receiptParts } from './receipt-mail.ts';
import { apiKeyParts, emailConfirmedParts, recoveryCodesParts, wayInParts } from './way-in-mails.ts';

export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

/** Writes a mail, as text and as HTML with the same words. */
export function composeMail(mail: AccountMail, context: MailContext): ComposedMail {
  const parts = partsOf(mail, context);
  return { subject: `${PRODUCT_NAME}: ${parts.subject}`, text: asText(parts), html: asHtml(parts) };
}

function partsOf(mail: AccountMail, context: MailContext): Parts {
  switch (mail.kind) {
    case 'reset':
    case 'verify':
    case 'change_email':
      return linkParts(mail.kind, context);
    case 'receipt':
      return receiptParts(mail, context);
    case 'email_confirmed':
      return emailConfirmedParts(mail.suspended, context);
    case 'way_in':
      return wayInParts(mail, context);
    case 'recovery_codes':
      return recoveryCodesParts(context);
    case 'api_key':
      return apiKeyParts(mail, context);
    default:
      return noticeParts(mail, context);
  }
}
