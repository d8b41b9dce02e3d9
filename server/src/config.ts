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

/** Names of this machine that no other machine can reach. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether only this machine can reach the server: it listens on loopback, without a public address or a proxy. */
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

/** An optional text; only spaces count as unset. */
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

/** Every environment variable of the server. Only `main.ts` passes the environment in. */
const environment = z
  .object({
    /** TCP port; 0 takes a free one. */
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    /** Address to listen on; loopback by default. */
    HOST: z.string().default('127.0.0.1'),
    /** The address people use, for example https://atelier.example. Decides secure cookies, origins and mail links. */
    PUBLIC_URL: z.url().optional(),
    /** Folder for everything embedded: database, files, backups, secret. */
    DATA_DIR: z.string().default('data'),
    /** PostgreSQL 15 or newer instead of the embedded database. */
    DATABASE_URL: z.string().optional(),
    /** Bearer token for /metrics. Without one, only this machine may read them, and nobody when the server is behind a proxy. */
    METRICS_TOKEN: z.string().min(16).optional(),
    /** Signs sessions. Generated once in the data folder; required in the environment with DATABASE_URL. */
    AUTH_SECRET: z.string().min(32, 'AUTH_SECRET needs at least 32 characters').optional(),
    /** Model provider: any OpenAI-compatible server. Without a key or base URL the built-in offline model answers. */
    OPENAI_API_KEY: z.string().optional(),
    OPENAI_BASE_URL: z.url().optional(),
    /** Model ids that the server offers even if it doesn't list them, comma-separated. */
    OPENAI_MODELS: list,
    /** A JSON file of more providers, see docs/models.md. */
    MODELS_FILE: z.string().optional(),
    /** The model that answers for one that no provider has. */
    MODEL_STAND_IN: z.string().optional(),
    /** A provider that sends nothing for this long counts as failed; a busy one is asked again for as long. */
    MODEL_TIMEOUT_MS: z.coerce.number().int().min(100).default(30_000),
    /** Embedding model on the same server, so that memory is also found by meaning. OpenAI has a default. */
    EMBEDDING_MODEL: z.string().optional(),
    /** Length of its vectors, if the model lets us choose. */
    EMBEDDING_DIMENSIONS: z.coerce.number().int().min(16).max(4_096).optional(),
    /** How facts about a person are found: by the model (one small call an exchange), by rules only, or not at all. */
    FACTS: z.enum(['model', 'rules', 'off']).default('model'),
    /** The context window of every model in tokens: prompt, memory, conversation and answer together. Each model's own by default. */
    MODEL_CONTEXT_TOKENS: z.coerce.number().int().min(1_000).optional(),
    /** Pause of the built-in offline model between two words, so that people see its answer grow. */
    OFFLINE_PAUSE_MS: z.coerce.number().int().min(0).max(1_000).default(12),
    /** A bucket for files instead of the data folder: its name and, for servers other than Amazon's, the address. */
    S3_BUCKET: z.string().optional(),
    S3_ENDPOINT: z.url().optional(),
    S3_REGION: z.string().default('us-east-1'),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    /** A file of MCP servers for everyone, as READMEs show it: {"mcpServers": {"notes": {"command": "…"}, "web": {"url": "…"}}}. */
    MCP_SERVERS_FILE: z.string().optional(),
    /** Addresses or CIDR blocks outside the public internet that tools may fetch, comma-separated. */
    FETCH_ALLOWED: list,
    /** Proxies (addresses or CIDR blocks, comma-separated) whose X-Forwarded-For is trusted. */
    TRUSTED_PROXIES: list,
    /** Password rules: length, and the kinds of characters that are required. */
    PASSWORD_MIN: z.coerce.number().int().min(1).max(128).default(DEFAULT_PASSWORD_MIN),
    PASSWORD_MAX: z.coerce.number().int().min(8).max(1024).default(128),
    PASSWORD_LOWERCASE: flag,
    PASSWORD_UPPERCASE: flag,
    PASSWORD_NUMERIC: flag,
    PASSWORD_SYMBOL: flag,
    /** Sign-ins, and as many sign-ups, a minute from one address. */
    AUTH_RATE_MAX: z.coerce.number().int().min(1).default(20),
    /** Multiplies how fast one account may act; see the bounds in access.ts. */
    ACCOUNT_BOUNDS: z.coerce.number().min(1).default(1),
    /** How many seconds an unused sign-in lasts. */
    SESSION_SECONDS: z.coerce
      .number()
      .int()
      .min(60)
      .default(60 * 60 * 24 * 7),
    /** Signing in with Google or GitHub: both of an OAuth client, whose redirect address is PUBLIC_URL/api/auth/callback/google (or github). */
    GOOGLE_CLIENT_ID: word,
    GOOGLE_CLIENT_SECRET: word,
    GITHUB_CLIENT_ID: word,
    GITHUB_CLIENT_SECRET: word,
    /** Another server with Google's paths, or a GitHub Enterprise Server. */
    GOOGLE_BASE_URL: z.url().optional(),
    GITHUB_BASE_URL: z.url().optional(),
    /** Emails of the accounts that run this installation, comma-separated; every account when only this machine can reach it. */
    OPERATORS: list,
    /** How long a run may show no sign of life before another process ends it. */
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
    /** Address of Paystack's API; change it only to try a simulator. */
    PAYSTACK_BASE_URL: z.url().default('https://api.paystack.co'),
    /** 1 turns the checkout into a rehearsal without money. Without a key it is one anyway while only this machine can reach the server. */
    PAYSTACK_SANDBOX: flag,
    /** SMTP server for mail to the operator and, with PUBLIC_URL, to people, for example smtps://user:password@mail.example:465. */
    SMTP_URL: z.url({ protocol: /^smtps?$/u, error: 'SMTP_URL begins with smtp:// or smtps://' }).optional(),
    /** Recipient of contact messages, and sender of all mails; the sender defaults to the recipient. */
    MAIL_TO: word,
    MAIL_FROM: word,
    /** EmailJS instead of SMTP: service, template and public key, and the private key if the account requires it. */
    EMAILJS_SERVICE_ID: word,
    EMAILJS_TEMPLATE_ID: word,
    EMAILJS_PUBLIC_KEY: word,
    EMAILJS_PRIVATE_KEY: word,
    EMAILJS_BASE_URL: z.url().default('https://api.emailjs.com'),
    /** A mail service that is silent for this long counts as failed. */
    MAIL_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(30_000),
  })
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
