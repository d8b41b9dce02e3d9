import { z } from 'zod';
import { findNoBlock } from './platform/fetch/public-address.ts';
import { shape } from './variables.ts';

/** The variables, before it is known whether they go together. */
type Settings = z.output<z.ZodObject<typeof shape>>;

const refusalIn = (context: z.RefinementCtx) => (variable: keyof Settings, message: string) =>
  context.addIssue({ code: 'custom', path: [variable], message });

/** Names of this machine that no other machine can reach. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether secrets may travel to this address: encrypted, or on this machine. */
export const isPrivateWay = (url: string) => url.startsWith('https://') || LOOPBACK.has(new URL(url).hostname);

/** Whether a Paystack key moves money. */
export const isLive = (key: string | undefined) => key?.slice(3, 8) === 'live_';

function checkPaystack(config: Settings, context: z.RefinementCtx): void {
  const { PAYSTACK_SECRET_KEY: secret, PAYSTACK_PUBLIC_KEY: open } = config;
  const refuse = refusalIn(context);
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

function checkMail(config: Settings, context: z.RefinementCtx): void {
  const refuse = refusalIn(context);
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

const SIGN_IN_ADDRESSES = { GOOGLE: 'GOOGLE_BASE_URL', GITHUB: 'GITHUB_BASE_URL', OIDC: 'OIDC_ISSUER' } as const;

/** The address that people are sent back to is registered with the provider, so it can't come from a request. */
function checkSignIn(config: Settings, context: z.RefinementCtx): void {
  const refuse = refusalIn(context);
  for (const name of ['GOOGLE', 'GITHUB', 'OIDC'] as const) {
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
    const base = config[SIGN_IN_ADDRESSES[name]];
    if (base !== undefined && !isPrivateWay(base)) {
      refuse(SIGN_IN_ADDRESSES[name], 'the secret would travel unencrypted; use https');
    }
  }
  if ((config.OIDC_ISSUER === undefined) !== (config.OIDC_CLIENT_ID === undefined)) {
    const missing = config.OIDC_ISSUER === undefined ? 'OIDC_ISSUER' : 'OIDC_CLIENT_ID';
    refuse(missing, 'single sign-on needs the issuer, and the client’s id and secret');
  }
  const providers = [config.GOOGLE_CLIENT_ID, config.GITHUB_CLIENT_ID, config.OIDC_CLIENT_ID];
  if (config.PASSWORDS_OFF && providers.every((id) => id === undefined)) {
    refuse(
      'PASSWORDS_OFF',
      'without passwords people need another way in: set OIDC_ISSUER and its client, or another provider',
    );
  }
}

function checkBlocks(config: Settings, context: z.RefinementCtx): void {
  const refuse = refusalIn(context);
  for (const variable of ['FETCH_ALLOWED', 'TRUSTED_PROXIES'] as const) {
    const wrong = findNoBlock(config[variable]);
    if (wrong !== undefined)
      refuse(variable, `“${wrong}” is neither an IP address nor a CIDR block such as 10.0.0.0/8`);
  }
}

/** A budget below what one answer reserves would never let one begin. */
function checkBudgets(config: Settings, context: z.RefinementCtx): void {
  const least = config.BUDGET_RUN_TOKENS;
  for (const whose of ['ACCOUNT', 'SERVER'] as const) {
    for (const period of ['DAY', 'MONTH'] as const) {
      const variable = `BUDGET_${whose}_${period}_TOKENS` as const;
      if ((config[variable] ?? Number.POSITIVE_INFINITY) >= least) continue;
      const message = `it is less than one answer reserves: raise it, or lower BUDGET_RUN_TOKENS (${least})`;
      refusalIn(context)(variable, message);
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
  .superRefine(checkBlocks)
  .superRefine(checkPaystack)
  .superRefine(checkMail)
  .superRefine(checkSignIn)
  .superRefine(checkBudgets);

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

/** What begins like this is meant for this server; other names are looked at only where they are nearly one of ours. */
const OUR_PREFIXES = [
  'PAYSTACK_',
  'EMAILJS_',
  'SMTP_',
  'MAIL_',
  'S3_',
  'AUTH_',
  'GOOGLE_CLIENT_',
  'GITHUB_CLIENT_',
  'OIDC_',
];
/** Nearly one of ours: so many letters are added, missing, others or exchanged. A short name is near to many. */
const NEAR = 2;
const SHORTEST = 7;

/** A sentence for each variable that is probably one of ours, misspelt. */
export function findMisspelt(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(shape);
  return Object.keys(env).flatMap((name) => {
    // What continues a name of ours is somebody's own, such as OPENAI_API_KEY_2 in a file of models.
    if (names.some((one) => name.startsWith(one))) return [];
    const prefix = OUR_PREFIXES.find((one) => name.startsWith(one)) ?? '';
    const [nearest] = names
      .filter((one) => one.startsWith(prefix) && one.length >= SHORTEST)
      // The end of ours may be missing too.
      .map((one) => ({ one, away: distance(name, one.slice(0, name.length)) }))
      .toSorted((a, b) => a.away - b.away);
    if (nearest === undefined || (prefix === '' && distance(name, nearest.one) > NEAR)) return [];
    return [`${name} isn’t known; did you mean ${nearest.one}?`];
  });
}

/** How many letters of one name have to be added, removed or replaced, at most a hundred of them, to get the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of Array.from(from.slice(0, 100)).entries()) {
    const above = row;
    row = [line + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (above[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[at] ?? 0) + 1, (row[at - 1] ?? 0) + 1));
    }
  }
  return row[to.length] ?? 0;
}
