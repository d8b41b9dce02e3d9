import { redact } from '../redact.ts';
import { dropEnd } from '../trim.ts';
import type { Mail, MailOutcome, OutgoingMail } from './mail.ts';

/** The version of EmailJS's own client that our calls imitate. */
const LIB_VERSION = '4.4.1';
const MAX_ANSWER_CHARS = 4_000;

/** EmailJS's own names for these answers. */
const NAMES: Record<number, string> = {
  403: 'Forbidden',
  429: 'Too Many Requests',
  451: 'Unavailable For Headless Browser',
};

interface EmailjsOptions {
  baseUrl: string;
  serviceId: string;
  templateId: string;
  publicKey: string;
  privateKey: string | undefined;
  /** How long a service may take to answer. */
  timeoutMs: number;
}

/** Mail through EmailJS's HTTP API, one call a message. The template gets message, subject, reply_to and message_id. */
export function createEmailjsMail(options: EmailjsOptions): Mail {
  const url = new URL('api/v1.0/email/send', `${dropEnd(options.baseUrl, /\//)}/`);
  const secrets = [options.publicKey, options.privateKey ?? ''].filter((secret) => secret !== '');
  const clean = (text: string) => redact(text, secrets);

  async function send(mail: OutgoingMail): Promise<MailOutcome> {
    let status: number;
    let text: string;
    let retryAfter: string | null;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(options, mail)),
        redirect: 'error',
        signal: AbortSignal.timeout(options.timeoutMs),
      });
      status = response.status;
      retryAfter = response.headers.get('retry-after');
      // The status is the answer; the rest is for the operator.
      text = await response.text().catch(() => '');
    } catch (error) {
      return unanswered(error, clean);
    }
    const reason = [NAMES[status], clean(text.slice(0, MAX_ANSWER_CHARS))].filter(Boolean).join(': ');
    return judge(status, reason, Number(retryAfter ?? Number.NaN));
  }
  const probe = async () => {
    const { status } = await fetch(url, { redirect: 'error' }).catch((error: unknown) => {
      throw new Error(unanswered(error, clean).note);
    });
    if (status >= 500) throw new Error(`answered ${status}`);
    return 'answers; whether ids and keys fit shows with a message';
  };
  return { kind: 'emailjs', label: `EmailJS (${url.host})`, send, probe, close: () => {} };
}

function judge(status: number, note: string, retryAfter: number): MailOutcome {
  if (status >= 200 && status < 300) return { result: 'sent', status, note };
  if (status === 429) {
    const seconds = Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfterSeconds: Math.ceil(retryAfter) } : {};
    return { result: 'later', status, note, ...seconds };
  }
  if (status >= 500 || status === 408) return { result: 'later', status, note };
  // 403, 451 and other refusals: the same request gets the same answer again.
  return { result: 'refused', status, note };
}

const bodyOf = (options: EmailjsOptions, mail: OutgoingMail) => ({
  lib_version: LIB_VERSION,
  user_id: options.publicKey,
  service_id: options.serviceId,
  template_id: options.templateId,
  template_params: {
    message: mail.text,
    subject: mail.subject,
    reply_to: mail.replyTo ?? '',
    message_id: `<${mail.messageId}>`,
  },
  ...(options.privateKey === undefined ? {} : { accessToken: options.privateKey }),
});

/** Errors of a connection that was never open: the request can't have been read. */
const NEVER_CONNECTED = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
);

function unanswered(error: unknown, clean: (text: string) => string): MailOutcome {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const note = clean(code || (error instanceof Error ? error.message : String(error)));
  if (NEVER_CONNECTED.has(code)) return { result: 'later', status: null, code, note: `could not be reached (${note})` };
  return { result: 'unsure', status: null, code, note: `no answer (${note})` };
}
