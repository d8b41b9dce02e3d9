import { eventually } from './eventually.ts';
import type { FakeSmtp, ReceivedMail } from './fake-smtp.ts';

/** A received mail as a mail program shows it. */
export interface ReadMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The first link with a token, and that token. */
  link: string;
  token: string;
}

function decoded(part: string): string {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/transfer-encoding: base64/iu.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/transfer-encoding: quoted-printable/iu.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r\n/gu, '')
    .replaceAll(/=([\dA-F]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Reads a mail of two parts, text and HTML. */
export function readMail({ raw, header }: ReceivedMail): ReadMail {
  const boundary = /boundary="([^"]+)"/u.exec(raw)?.[1] ?? '';
  const parts = raw.split(`--${boundary}`);
  const find = (type: string) =>
    decoded((parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '').trimStart());
  const text = find('text/plain').replaceAll('\r\n', '\n');
  const [link = '', token = ''] = /http\S+#([\w-]{43})/u.exec(text) ?? [];
  return { to: header('to'), subject: header('subject'), text, html: find('text/html'), link, token };
}

/** The token of the link to a page in a mail to an address, once it has come. */
export const mailedToken = (smtp: FakeSmtp, address: string, page: string): Promise<string> =>
  eventually(() => {
    const mail = mailsTo(smtp, address).find(({ text }) => text.includes(page));
    if (mail === undefined) throw new Error(`no mail to ${address} names ${page}`);
    return mail.token;
  });

/** The mails that have come to an address, oldest first. */
export const mailsTo = (smtp: FakeSmtp, address: string): ReadMail[] =>
  smtp.mails.map(readMail).filter(({ to }) => to === address);
