import { z } from 'zod';
import { shape } from './variables.ts';

interface PaystackSettings {
  PAYSTACK_SECRET_KEY?: string | undefined;
  PAYSTACK_PUBLIC_KEY?: string | undefined;
  PAYSTACK_BASE_URL?: string;
  PAYSTACK_SANDBOX?: boolean;
}

/** Names of this machine that no other machine can reach. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether a Paystack key moves money. */
export const isLive = (key: string | undefined) => key?.slice(3, 8) === 'live_';

function checkPaystack(config: PaystackSettings, context: z.RefinementCtx): void {
  const { PAYSTACK_SECRET_KEY: secret, PAYSTACK_PUBLIC_KEY: open } = config;
  const refuse = (variable: keyof PaystackSettings, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message });
  if (config.PAYSTACK_SANDBOX && (isLive(secret) || isLive(open))) {
    return refuse(
      'PAYSTACK_SANDBOX',
      'a live Paystack key and the sandbox together would give Pro away for nothing: remove PAYSTACK_SANDBOX or the live key',
    );
  }
  if ((secret === undefined) !== (open === undefined)) {
    return refuse(
      secret === undefined ? 'PAYSTACK_SECRET_KEY' : 'PAYSTACK_PUBLIC_KEY',
      'Paystack needs both keys, the secret and the public one; only one is set',
    );
  }
  const base = new URL(config.PAYSTACK_BASE_URL ?? 'https://api.paystack.co');
  if (secret !== undefined && base.protocol !== 'https:' && !LOOPBACK.has(base.hostname)) {
    return refuse('PAYSTACK_BASE_URL', 'the secret key would travel unencrypted; use https');
  }
  if (isLive(secret) !== isLive(open)) {
    refuse('PAYSTACK_PUBLIC_KEY', 'one of the Paystack keys is for tests and the other is live');
  }
}

interface MailSettings {
  SMTP_URL?: string | undefined;
  MAIL_TO?: string | undefined;
  EMAILJS_SERVICE_ID?: string | undefined;
  EMAILJS_TEMPLATE_ID?: string | undefined;
  EMAILJS_PUBLIC_KEY?: string | undefined;
}

function checkMail(config: MailSettings, context: z.RefinementCtx): void {
  const refuse = (variable: keyof MailSettings, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message });
  const emailjs = ['EMAILJS_SERVICE_ID', 'EMAILJS_TEMPLATE_ID', 'EMAILJS_PUBLIC_KEY'] as const;
  const unset = emailjs.filter((variable) => config[variable] === undefined);
  const [first] = unset;
  if (first !== undefined && unset.length < emailjs.length)
    refuse(first, 'EmailJS needs service, template and public key');
  if (config.SMTP_URL === undefined) return;
  if (unset.length < emailjs.length)
    refuse('SMTP_URL', 'mail goes one way only: set SMTP_URL or the EMAILJS_ variables');
  if (config.MAIL_TO === undefined) refuse('MAIL_TO', 'SMTP needs to know to whom: set MAIL_TO');
}

interface SignInSettings {
  GOOGLE_CLIENT_ID?: string | undefined;
  GOOGLE_CLIENT_SECRET?: string | undefined;
  GITHUB_CLIENT_ID?: string | undefined;
  GITHUB_CLIENT_SECRET?: string | undefined;
  GOOGLE_BASE_URL?: string | undefined;
  GITHUB_BASE_URL?: string | undefined;
  PUBLIC_URL?: string | undefined;
}

/** The address that people are sent back to is registered with the provider, so it can't come from a request. */
function checkSignIn(config: SignInSettings, context: z.RefinementCtx): void {
  const refuse = (variable: keyof SignInSettings, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message });
  for (const name of ['GOOGLE', 'GITHUB'] as const) {
    const [id, secret] = [config[`${name}_CLIENT_ID`], config[`${name}_CLIENT_SECRET`]];
    if ((id === undefined) !== (secret === undefined)) {
      refuse(
        `${name}_CLIENT_${id === undefined ? 'ID' : 'SECRET'}`,
        'signing in there needs both, the id and the secret',
      );
    }
    if (id !== undefined && config.PUBLIC_URL === undefined) {
      refuse(`${name}_CLIENT_ID`, 'people come back to PUBLIC_URL from there: set it');
    }
    const base = config[`${name}_BASE_URL`];
    if (base !== undefined && !base.startsWith('https://') && !LOOPBACK.has(new URL(base).hostname)) {
      refuse(`${name}_BASE_URL`, 'the secret would travel unencrypted; use https');
    }
  }
}

/** The environment: its variables, and what they must be together. Only `main.ts` passes the environment in. */
const environment = z
  .object(shape)
  .refine((config) => config.PASSWORD_MIN <= config.PASSWORD_MAX, {
    path: ['PASSWORD_MIN'],
    message: 'PASSWORD_MIN is greater than PASSWORD_MAX',
  })
  .superRefine(checkPaystack)
  .superRefine(checkMail)
  .superRefine(checkSignIn);

export type Config = Readonly<z.infer<typeof environment>>;

/** Reads the configuration; throws one Error naming every invalid variable. Empty strings count as unset. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, v]) => v !== undefined && v !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((i) => `  ${i.path.join('.')}: ${i.message}`);
    throw new Error(`The configuration is not usable:\n${lines.join('\n')}`);
  }
  return Object.freeze(parsed.data);
}
