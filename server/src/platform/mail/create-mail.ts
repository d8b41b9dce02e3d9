import type { Config } from '../../config.ts';
import { createEmailjsMail } from './emailjs-mail.ts';
import type { Mail } from './mail.ts';
import { createSmtpMail } from './smtp-mail.ts';

/** The configured way to send mail. */
export function createMail(config: Config): Mail {
  const { SMTP_URL, MAIL_TO, MAIL_TIMEOUT_MS: timeoutMs } = config;
  if (SMTP_URL !== undefined && MAIL_TO !== undefined) {
    return createSmtpMail({ url: SMTP_URL, to: MAIL_TO, from: config.MAIL_FROM ?? MAIL_TO, timeoutMs });
  }
  const { EMAILJS_SERVICE_ID: serviceId, EMAILJS_TEMPLATE_ID: templateId, EMAILJS_PUBLIC_KEY: publicKey } = config;
  if (serviceId !== undefined && templateId !== undefined && publicKey !== undefined) {
    const { EMAILJS_BASE_URL: baseUrl, EMAILJS_PRIVATE_KEY: privateKey } = config;
    return createEmailjsMail({ baseUrl, serviceId, templateId, publicKey, privateKey, timeoutMs });
  }
  return {
    kind: 'off',
    label: 'off',
    send: async () => ({ result: 'later', status: null, note: 'no mail is configured' }),
    probe: async () => 'off',
    close: () => {},
  };
}
