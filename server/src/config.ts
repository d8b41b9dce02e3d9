import { DEFAULT_PASSWORD_MIN } from '@atelier/contract/accounts';
import { z } from 'zod';

const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((v) => v === '1');
const list = z
  .string()
  .default('')
  .transform((v) =>
    v
      .split(',')
      .map((s) => s.trim())
      .filter((s) => s !== ''),
  );

interface PaystackSettings {
  PAYSTACK_SECRET_KEY?: string | undefined;
  PAYSTACK_PUBLIC_KEY?: string | undefined;
  PAYSTACK_BASE_URL?: string;
  PAYSTACK_SANDBOX?: boolean;
}

/** Names of this machine that no other machine reaches. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether only this machine reaches the server: it listens on loopback, without a public address or a proxy before it. */
export function isLocalOnly(config: Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>): boolean {
  const named = config.PUBLIC_URL === undefined || LOOPBACK.has(new URL(config.PUBLIC_URL).hostname);
  return LOOPBACK.has(config.HOST) && named && config.TRUSTED_PROXIES.length === 0;
}

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

/** An optional text; one of blanks counts as unset. */
const word = z.string().trim().min(1).optional();

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

/** Every environment variable that the server reads. `main.ts` alone hands the environment in. */
const environment = z
  .object({
    /** TCP port; 0 takes a free one. */
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    /** Address to listen on; loopback unless told. */
    HOST: z.string().default('127.0.0.1'),
    /** Where people reach this server, for example https://atelier.example. Decides secure cookies, origins and mail links. */
    PUBLIC_URL: z.url().optional(),
    /** Folder for everything embedded: database, files, backups, secret. */
    DATA_DIR: z.string().default('data'),
    /** PostgreSQL 15 or newer instead of the embedded database. */
    DATABASE_URL: z.string().optional(),
    /** Bearer token for /metrics. Without one, only this machine may read them, and nobody where a proxy stands in front. */
    METRICS_TOKEN: z.string().min(16).optional(),
    /** Signs sessions. Generated once into the data folder; required from the environment with DATABASE_URL. */
    AUTH_SECRET: z.string().min(32, 'AUTH_SECRET needs at least 32 characters').optional(),
    /** Model provider: any OpenAI-compatible server. Without a key or base URL the built-in offline model answers. */
    OPENAI_API_KEY: z.string().optional(),
    OPENAI_BASE_URL: z.url().optional(),
    /** More model ids of that server, comma-separated, beside gpt-3.5-turbo and gpt-4. */
    OPENAI_MODELS: list,
    /** A provider that sends nothing for this long has failed. */
    MODEL_TIMEOUT_MS: z.coerce.number().int().min(100).default(30_000),
    /** Model for embeddings on the same server, so that memory is also found by meaning. OpenAI itself has a default. */
    EMBEDDING_MODEL: z.string().optional(),
    /** Length of its vectors, where the model can be told. */
    EMBEDDING_DIMENSIONS: z.coerce.number().int().min(16).max(4_096).optional(),
    /** How many tokens a model takes at once, prompt, memory, conversation and answer together. */
    MODEL_CONTEXT_TOKENS: z.coerce.number().int().min(1_000).default(16_000),
    /** How long the built-in offline model rests between two words, so that its answer is seen to grow. */
    OFFLINE_PAUSE_MS: z.coerce.number().int().min(0).max(1_000).default(12),
    /** A bucket for files instead of the data folder: its name, and for servers other than Amazon's the address. */
    S3_BUCKET: z.string().optional(),
    S3_ENDPOINT: z.url().optional(),
    S3_REGION: z.string().default('us-east-1'),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    /** A JSON file that names MCP servers for everybody: {"mcpServers": {"notes": {"command": "…", "args": []}, "web": {"url": "…"}}}. */
    MCP_SERVERS_FILE: z.string().optional(),
    /** Addresses or CIDR blocks, comma-separated, outside of the public internet that tools may fetch all the same. */
    FETCH_ALLOWED: list,
    /** Proxies (addresses or CIDR blocks, comma-separated) whose X-Forwarded-For is believed. */
    TRUSTED_PROXIES: list,
    /** Password rules; all optional but the minimum. */
    PASSWORD_MIN: z.coerce.number().int().min(1).max(128).default(DEFAULT_PASSWORD_MIN),
    PASSWORD_MAX: z.coerce.number().int().min(8).max(1024).default(128),
    PASSWORD_LOWERCASE: flag,
    PASSWORD_UPPERCASE: flag,
    PASSWORD_NUMERIC: flag,
    PASSWORD_SYMBOL: flag,
    /** Sign-ins and sign-ups a minute from one address. */
    AUTH_RATE_MAX: z.coerce.number().int().min(1).default(20),
    /** How many times as much as a person one account may do; see the bounds in access.ts. */
    ACCOUNT_BOUNDS: z.coerce.number().min(1).default(1),
    /** Seconds until an unused sign-in ends. */
    SESSION_SECONDS: z.coerce
      .number()
      .int()
      .min(60)
      .default(60 * 60 * 24 * 7),
    /** Emails of the accounts that run this installation, comma-separated; where only this machine reaches it, every account does. */
    OPERATORS: list,
    /** How long a run may go without a sign of life before another process takes it for dead. */
    LEASE_MS: z.coerce.number().int().min(500).default(30_000),
    /** Paystack's keys; both or none. Test keys (sk_test_…) move no money. */
    PAYSTACK_SECRET_KEY: z
      .string()
      .regex(/^sk_(?:test|live)_./u, 'PAYSTACK_SECRET_KEY begins with sk_test_ or sk_live_')
      .optional(),
    PAYSTACK_PUBLIC_KEY: z
      .string()
      .regex(/^pk_(?:test|live)_./u, 'PAYSTACK_PUBLIC_KEY begins with pk_test_ or pk_live_')
      .optional(),
    /** Where Paystack's API is; another address only to try a simulator of it. */
    PAYSTACK_BASE_URL: z.url().default('https://api.paystack.co'),
    /** 1: buying is a rehearsal in which no money moves. Without a key it is one anyway where only this machine can reach the server. */
    PAYSTACK_SANDBOX: flag,
    /** SMTP server for mail to the operator, for example smtps://user:password@mail.example:465. */
    SMTP_URL: z.url({ protocol: /^smtps?$/u, error: 'SMTP_URL begins with smtp:// or smtps://' }).optional(),
    /** Who gets the messages of the contact page, and who sends them (the same unless told). */
    MAIL_TO: word,
    MAIL_FROM: word,
    /** EmailJS instead of SMTP: service, template and public key, and the private key where the account asks for it. */
    EMAILJS_SERVICE_ID: word,
    EMAILJS_TEMPLATE_ID: word,
    EMAILJS_PUBLIC_KEY: word,
    EMAILJS_PRIVATE_KEY: word,
    EMAILJS_BASE_URL: z.url().default('https://api.emailjs.com'),
    /** A mail service that is silent for this long has not answered. */
    MAIL_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(30_000),
  })
  .refine((config) => config.PASSWORD_MIN <= config.PASSWORD_MAX, {
    path: ['PASSWORD_MIN'],
    message: 'PASSWORD_MIN is greater than PASSWORD_MAX',
  })
  .superRefine(checkPaystack)
  .superRefine(checkMail);

export type Config = Readonly<z.infer<typeof environment>>;

/** Reads the configuration; throws one Error naming every variable that is wrong. Empty strings count as unset. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, v]) => v !== undefined && v !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((i) => `  ${i.path.join('.')}: ${i.message}`);
    throw new Error(`The configuration is not usable:\n${lines.join('\n')}`);
  }
  return Object.freeze(parsed.data);
}
