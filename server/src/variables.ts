import { DEFAULT_PASSWORD_MIN } from '@atelier/contract/accounts';
import { z } from 'zod';
import { budgets } from './budget-variables.ts';

const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((v) => v === '1');
const list = z
  .string()
  .default('')
  .transform((v) => v.split(',').flatMap((s) => s.trim() || []));
/** The shortest secret. */
const SECRET = 32;

/** Every secret that a list may name: a secret may contain commas itself. Null where one is too short. */
function earlierSecrets(value: string): string[] | null {
  const parts = value.split(',');
  const runs = parts.flatMap((_, from) => parts.slice(from).map((_, to) => parts.slice(from, from + to + 1).join(',')));
  const secrets = runs.map((run) => run.trim()).filter((run) => run.length >= SECRET);
  return secrets.length === 0 && value.trim() !== '' ? null : secrets;
}

/** An optional text; only spaces count as unset. */
const word = z.string().trim().min(1).optional();
const int = z.coerce.number().int();
const text = z.string().optional();
/** Whether an address ends with its host and port. Pages, cookies and links begin at the root of a host, so a path would break them. */
const isOrigin = (value: string) => !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`;
/** A default that the schema does not have, as the documentation shows it. */
const shown = (defaultText: string) => ({ defaultText });
/** A value that is shown to nobody. */
const SECRET_VALUE = { secret: true };

const address = {
  PORT: int.min(0).max(65_535).default(3000).describe('TCP port; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` opens it to your network'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/u, error: 'PUBLIC_URL begins with https:// or http://' })
    .refine(
      isOrigin,
      'Atelier needs a host name of its own, such as https://atelier.example.org: it can’t be served below a path, so leave out what follows the name',
    )
    .transform((value) => new URL(value).origin)
    .optional()
    .describe(
      'The address people use, for example https://atelier.example, without a path; decides secure cookies, allowed origins and links. Needed [behind a proxy](running.md#behind-a-proxy)',
    ),
  TRUSTED_PROXIES: list.describe(
    'Proxies (addresses or CIDR blocks, comma-separated) whose `X-Forwarded-For` is trusted',
  ),
};

const data = {
  DATA_DIR: z
    .string()
    .default('data')
    .describe(
      'Folder for everything embedded: database, files, backups, secret; closed to other users of the machine (0700) at each start. Not needed with `DATABASE_URL`, `AUTH_SECRET` and `S3_BUCKET`',
    ),
  DATABASE_URL: text
    .describe('PostgreSQL 15 or newer instead of the embedded database; no extension needed')
    .meta(SECRET_VALUE),
  AUTH_SECRET: z
    .string()
    .min(SECRET, 'AUTH_SECRET needs at least 32 characters')
    .optional()
    .describe(
      'Signs cookies, and encrypts second factors and access to tool servers; at least 32 characters. Required with `DATABASE_URL`; otherwise the first start writes one into `DATA_DIR/secret`. See [changing it](running.md#changing-the-secret)',
    )
    .meta({ ...shown('generated'), ...SECRET_VALUE }),
  AUTH_SECRET_OLD: z
    .string()
    .default('')
    .transform(earlierSecrets)
    .refine((secrets) => secrets !== null, 'each secret in AUTH_SECRET_OLD has at least 32 characters')
    .transform((secrets) => secrets ?? [])
    .describe('Earlier values of `AUTH_SECRET`, comma-separated: what they signed and encrypted can still be read')
    .meta(SECRET_VALUE),
  S3_BUCKET: text.describe('A bucket for uploaded files instead of `DATA_DIR/files`'),
  S3_ENDPOINT: z.url().optional().describe('Address of the S3-compatible server; without it, Amazon’s'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ACCESS_KEY_ID: text.describe('Key of the bucket; without it, the one that the AWS SDK finds').meta(SECRET_VALUE),
  S3_SECRET_ACCESS_KEY: text.describe('Its secret').meta(SECRET_VALUE),
};

const models = {
  OPENAI_API_KEY: text
    .describe(
      'Model provider: the key of OpenAI, or of the server at `OPENAI_BASE_URL`. Without key and address the built-in offline model answers',
    )
    .meta(SECRET_VALUE),
  OPENAI_BASE_URL: z.url().optional().describe('Model provider: any server that speaks OpenAI’s chat completions'),
  OPENAI_MODELS: list.describe('Model ids that the server offers even if it doesn’t list them, comma-separated'),
  MODELS_FILE: text.describe('A JSON file of more [providers](models.md)'),
  MODEL_STAND_IN: text.describe('The model that answers for agents whose own model no provider has'),
  MODEL_TIMEOUT_MS: int
    .min(100)
    .default(30_000)
    .describe('A provider that sends nothing for this long counts as failed; a busy one is asked again for as long'),
  MODEL_CONTEXT_TOKENS: int
    .min(1_000)
    .optional()
    .describe('The context window of every model in tokens: prompt, memory, conversation, tools and answer together')
    .meta(shown('each model’s own')),
  EMBEDDING_MODEL: text
    .describe(
      'Embeddings of the same server, so that recall and search also match by meaning; without them they match words and (in English) related words',
    )
    .meta(shown('at OpenAI `text-embedding-3-small`')),
  EMBEDDING_DIMENSIONS: int
    .min(16)
    .max(4_096)
    .optional()
    .describe('Length of their vectors, if the model lets you choose')
    .meta(shown('at OpenAI 512')),
  FACTS: z
    .enum(['model', 'rules', 'off'])
    .default('model')
    .describe(
      'How facts about people are found in what they say: `model` asks the provider once more after an exchange that may state one (for Pro accounts), `rules` never does, `off` keeps none. Without a provider, `model` means `rules`. Everyone can switch it off for themselves on the Memory page',
    ),
  OFFLINE_PAUSE_MS: int.min(0).max(1_000).default(12).describe('Pause of the built-in offline model between two words'),
};

const tools = {
  MCP_SERVERS_FILE: text.describe(
    'A file of [MCP servers](mcp-servers.md), as their READMEs show it, whose tools every Pro user may attach',
  ),
  FETCH_ALLOWED: list.describe(
    'Addresses or CIDR blocks outside the public internet that tools may fetch, comma-separated',
  ),
};

const accounts = {
  PASSWORD_MIN: int.min(1).max(128).default(DEFAULT_PASSWORD_MIN).describe('Shortest password'),
  PASSWORD_MAX: int.min(8).max(1024).default(128).describe('Longest password'),
  PASSWORD_LOWERCASE: flag.describe('1 requires a lowercase letter'),
  PASSWORD_UPPERCASE: flag.describe('1 requires an uppercase letter'),
  PASSWORD_NUMERIC: flag.describe('1 requires a digit'),
  PASSWORD_SYMBOL: flag.describe('1 requires a symbol'),
  PASSWORD_UNCOMMON: flag.describe(
    '1 refuses passwords that are guessed first: common ones, and the names of the account and of this product. Otherwise people are warned',
  ),
  SESSION_SECONDS: int.min(60).default(604_800).describe('How long an unused sign-in lasts'),
  SESSION_FIXED: flag.describe('1 ends a sign-in after `SESSION_SECONDS` also when it is used'),
  AUTH_RATE_MAX: int.min(1).default(20).describe('Sign-ins, and as many sign-ups, a minute from one address'),
  ACCOUNT_BOUNDS: z.coerce
    .number()
    .min(1)
    .default(1)
    .describe('Multiplies how fast one account may act before it gets 429; raise it when programs share an account'),
  GOOGLE_CLIENT_ID: word.describe(
    'Sign-in with Google: an OAuth client whose redirect address is `PUBLIC_URL/api/auth/callback/google`; needs `PUBLIC_URL`',
  ),
  GOOGLE_CLIENT_SECRET: word.describe('Its secret').meta(SECRET_VALUE),
  GITHUB_CLIENT_ID: word.describe('The same with GitHub: `PUBLIC_URL/api/auth/callback/github`'),
  GITHUB_CLIENT_SECRET: word.describe('Its secret').meta(SECRET_VALUE),
  OIDC_ISSUER: z
    .url()
    .optional()
    .describe(
      'Single sign-on with any OpenID provider, such as Keycloak, Entra or Authentik: its address as it names itself, with its path, for example https://id.example/realms/school. Its redirect address is `PUBLIC_URL/api/auth/callback/oidc`',
    ),
  OIDC_CLIENT_ID: word.describe('The client there'),
  OIDC_CLIENT_SECRET: word.describe('Its secret').meta(SECRET_VALUE),
  OIDC_NAME: word
    .pipe(z.string().max(40))
    .optional()
    .describe('What people call it, as in “Continue with …”')
    .meta(shown('your organization')),
  PASSWORDS_OFF: flag.describe(
    '1 lets nobody sign up or in with a password: only by a provider, or with a passkey; needs one of the providers',
  ),
  GOOGLE_BASE_URL: z.url().optional().describe('A server that speaks Google’s protocol under its paths'),
  GITHUB_BASE_URL: z.url().optional().describe('A GitHub Enterprise Server'),
};

const mail = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/u, error: 'SMTP_URL begins with smtp:// or smtps://' })
    .optional()
    .describe(
      'SMTP server that sends contact messages to you and, with `PUBLIC_URL`, mails to people: password reset, confirmation of emails, notices, receipts. For example smtps://user:password@mail.example:465. A password goes to another machine by TLS only, unless the address ends in `?requireTLS=false`',
    )
    .meta(SECRET_VALUE),
  MAIL_TO: word.describe('Recipient of contact messages; needed with `SMTP_URL`'),
  MAIL_FROM: word.describe('Sender of all mails').meta(shown('`MAIL_TO`')),
  EMAILJS_SERVICE_ID: word.describe('EmailJS instead of SMTP: the service'),
  EMAILJS_TEMPLATE_ID: word.describe('The template; it receives `message`, `subject`, `reply_to`, `message_id`'),
  EMAILJS_PUBLIC_KEY: word.describe('The public key'),
  EMAILJS_PRIVATE_KEY: word.describe('The access token, if the EmailJS account requires one').meta(SECRET_VALUE),
  EMAILJS_BASE_URL: z.url().default('https://api.emailjs.com').describe('Address of EmailJS’s API'),
  MAIL_TIMEOUT_MS: int
    .min(100)
    .max(60_000)
    .default(30_000)
    .describe('A mail service that is silent for this long counts as failed'),
};

const payments = {
  PAYSTACK_SECRET_KEY: z
    .string()
    .regex(/^sk_(?:test|live)_./u, 'PAYSTACK_SECRET_KEY begins with sk_test_ or sk_live_')
    .optional()
    .describe(
      'Take payments with Paystack: the secret key. Both keys are needed, of the same kind (`…_test_…` or `…_live_…`)',
    )
    .meta(SECRET_VALUE),
  PAYSTACK_PUBLIC_KEY: z
    .string()
    .regex(/^pk_(?:test|live)_./u, 'PAYSTACK_PUBLIC_KEY begins with pk_test_ or pk_live_')
    .optional()
    .describe('The public key'),
  PAYSTACK_SANDBOX: flag.describe(
    '1 turns the checkout into a rehearsal without money, also when others can reach the server; refused together with a live key',
  ),
  PAYSTACK_BASE_URL: z
    .url()
    .default('https://api.paystack.co')
    .describe('Address of Paystack’s API; change it only to try a simulator'),
};

const operation = {
  BACKUP_PASSPHRASE: word
    .describe('Encrypts and opens [backups](backup.md); without it, the commands ask at a terminal')
    .meta(SECRET_VALUE),
  BACKUP_DIR: word
    .describe(
      'Folder, or `s3://BUCKET/FOLDER`, for [a backup each day](backup.md#each-day), the same for every process. With `DATABASE_URL` none is made without it',
    )
    .meta(shown('`DATA_DIR/backups`')),
  BACKUP_TIME: z
    .string()
    .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|off)$/u, 'BACKUP_TIME is a time such as 03:30, or off')
    .default('03:30')
    .describe('When it is made, by the clock of the machine; `off` makes none'),
  BACKUP_PASSPHRASE_FILE: word.describe('A file whose first line is that passphrase'),
  OPERATORS: list.describe(
    'Emails of the accounts that run this installation, comma-separated: they have the page “Admin”, once their email is confirmed (without mail: `npm run admin -- confirm-email EMAIL`). Where only this machine can reach the server, and no request has shown a proxy, its first account has it too',
  ),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Bearer token for `/metrics`; without one, only this machine may read them, and nobody once a request has shown a proxy',
    )
    .meta(SECRET_VALUE),
  LOG_FORMAT: z
    .enum(['text', 'json'])
    .default('text')
    .describe(
      '`json` makes all output lines of JSON on stderr: also what the start prints, and a line for each request. See [the log](running.md#the-log)',
    ),
  LEASE_MS: int
    .min(500)
    .default(30_000)
    .describe('How long a run may show no sign of life before another process ends it'),
};

/** Every environment variable of the server by what it is about; `npm run docs` writes docs/configuration.md and .env.example from it. */
export const VARIABLES = {
  Address: address,
  Data: data,
  Models: models,
  Tools: tools,
  Accounts: accounts,
  Mail: mail,
  Payments: payments,
  Budgets: budgets,
  Operation: operation,
};

/** The shape of the whole environment. */
export const shape = {
  ...address,
  ...data,
  ...models,
  ...tools,
  ...accounts,
  ...mail,
  ...payments,
  ...budgets,
  ...operation,
};
