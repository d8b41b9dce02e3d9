import { LOOPBACK } from '../../config.ts';
import { redact } from '../redact.ts';
import { loadOnce } from '../retry.ts';
import type { Mail, MailOutcome, OutgoingMail } from './mail.ts';

interface SmtpOptions {
  /** smtp:// or smtps://, with user and password if the server needs them. */
  url: string;
  from: string;
  to: string;
  /** How long the server may be silent. */
  timeoutMs: number;
}

/** Mail through SMTP: one connection a message, because messages are rare. */
export function createSmtpMail({ url, from, to, timeoutMs }: SmtpOptions): Mail {
  const { host, hostname, password } = new URL(url);
  const secrets = password === '' ? [] : [password, decodeURIComponent(password)];
  // Most processes never send mail, so the first message loads nodemailer.
  const opening = loadOnce(async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      // Whoever sits in between could say that the server has no TLS, and read the password.
      requireTLS: password !== '' && !LOOPBACK.has(hostname),
      // Shorter, so that a server that never greets isn't confused with one that went silent after getting the message.
      connectionTimeout: timeoutMs / 2,
      greetingTimeout: timeoutMs / 2,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });
  const clean = (text: string) => redact(text, secrets);

  async function send(mail: OutgoingMail): Promise<MailOutcome> {
    try {
      const transport = await opening();
      const info = await transport.sendMail({
        from,
        // As an object, so that no address can be read as several.
        to: mail.to === undefined ? to : { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html === undefined ? {} : { html: mail.html }),
        messageId: `<${mail.messageId}>`,
        ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
      });
      const status = Number.parseInt(info.response, 10);
      return { result: 'sent', status: Number.isNaN(status) ? null : status, note: clean(info.response) };
    } catch (error) {
      return failed(error, clean);
    }
  }
  return {
    kind: 'smtp',
    label: `SMTP (${host})`,
    send,
    probe: async () => {
      const explain = (error: unknown) => Promise.reject(new Error(failed(error, clean).note));
      await opening().then((transport) => transport.verify().catch(explain));
      return password === '' ? 'answers' : 'answers, and takes the password';
    },
    close: () => void opening.begun()?.then((transport) => transport.close()),
  };
}

/** Errors before any of the message can have been sent. */
const TOO_EARLY = /^(?:EDNS|EAUTH|ETLS|EENVELOPE|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/u;
const SETUP_TIMEOUT = /^(?:CONNECT|GREETING|UPGRADE)_TIMEOUT$/u;

function failed(error: unknown, clean: (text: string) => string): MailOutcome {
  const note = clean(error instanceof Error ? error.message : String(error));
  const field = (key: string): unknown => (error instanceof Error ? Reflect.get(error, key) : undefined);
  const answered = field('responseCode');
  const status = typeof answered === 'number' ? answered : null;
  const reason = { status, note, code: String(field('originalCode') ?? field('code') ?? '') };
  if (status !== null && status >= 400) return { result: status >= 500 ? 'refused' : 'later', ...reason };
  if (reason.code === 'EAUTH') return { result: 'refused', ...reason };
  const early =
    [field('code'), field('originalCode')].some((word) => TOO_EARLY.test(String(word))) ||
    SETUP_TIMEOUT.test(String(field('timeoutType')));
  // If the connection broke later, only the server's "accepted" may have been lost.
  return { result: early ? 'later' : 'unsure', ...reason };
}
