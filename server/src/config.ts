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
    /** Signs sessions. Generated once into the data folder; required from the environment with DATABASE_URL. */
    AUTH_SECRET: z.string().min(32, 'AUTH_SECRET needs at least 32 characters').optional(),
    /** Model provider: any OpenAI-compatible server. Without a key or base URL the built-in offline model answers. */
    OPENAI_API_KEY: z.string().optional(),
    OPENAI_BASE_URL: z.url().optional(),
    /** More model ids of that server, comma-separated, beside gpt-3.5-turbo and gpt-4. */
    OPENAI_MODELS: list,
    /** A provider that sends nothing for this long has failed. */
    MODEL_TIMEOUT_MS: z.coerce.number().int().min(100).default(30_000),
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
    /** Seconds until an unused sign-in ends. */
    SESSION_SECONDS: z.coerce
      .number()
      .int()
      .min(60)
      .default(60 * 60 * 24 * 7),
    /** How long a run may go without a sign of life before another process takes it for dead. */
    LEASE_MS: z.coerce.number().int().min(500).default(30_000),
  })
  .refine((config) => config.PASSWORD_MIN <= config.PASSWORD_MAX, {
    path: ['PASSWORD_MIN'],
    message: 'PASSWORD_MIN is greater than PASSWORD_MAX',
  });

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
