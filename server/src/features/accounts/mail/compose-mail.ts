import { PRODUCT_NAME } from '@atelier/contract/product';
import { escapeHtml } from '../../../platform/http/escape-html.ts';
import type { AccountMail, MailContext, Parts } from './account-mail.ts';
import { mailParts } from './mail-parts.ts';

/** Writes a mail, as text and as HTML with the same words. */
export function composeMail(mail: AccountMail, context: MailContext): { subject: string; text: string; html: string } {
  const parts = mailParts(mail, context);
  return { subject: `${PRODUCT_NAME}: ${parts.subject}`, text: asText(parts), html: asHtml(parts) };
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

// Mail programs know little CSS and drop style sheets, so every element carries its own.
const FONT = 'font:16px/1.5 system-ui,-apple-system,sans-serif;color:#2b2723';
const p = (html: string, style = '') => `<p style="margin:0 0 16px;${style}">${html}</p>`;

const inLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

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
    p(inLines(parts.lead)),
    facts
      ? `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse;${FONT}">${facts.join('')}</table>`
      : '',
    button ? p(button) : '',
    action ? p(`Or open this address:<br>${escapeHtml(action.url)}`, `${small};overflow-wrap:anywhere`) : '',
    ...parts.notes.map((note) => p(inLines(note), small)),
    '</div></body></html>',
  ].join('');
}
