import { eventually } from './eventually.ts';
import type { FakeSmtp, ReceivedMail } from './fake-smtp.ts';

/** The same with its address, and the first link with a token. */
export interface ReadMail extends Pick<ReceivedMail, 'text' | 'html'> {
  to: string;
  subject: string;
  link: string;
  token: string;
}

function readMail({ text, html, header }: ReceivedMail): ReadMail {
  const [link = '', token = ''] = /http\S+#([\w-]{43})/u.exec(text) ?? [];
  return { to: header('to'), subject: header('subject'), text, html, link, token };
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
