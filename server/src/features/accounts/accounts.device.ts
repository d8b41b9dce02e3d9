import { createHmac, randomBytes } from 'node:crypto';
import { describeDevice } from '@atelier/contract/accounts/activity';
import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import type { Config } from '../../config.ts';
import type { Deps } from '../../platform/deps.ts';
import { secretsOf, signedBy } from '../../platform/secrets.ts';
import { mailAboutDevice } from './accounts.email.service.ts';
import { accountKey } from './accounts.limits.service.ts';

// A browser that has signed in to an account keeps a token for it, so strangers who try passwords can't lock it out.

/** Over https no other host can set it, nor a page in a folder. */
const NAME = 'atelier_device';
const SECURE_NAME = `__Host-${NAME}`;
const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** How many accounts one browser remembers. */
const ACCOUNTS = 5;
const TOKEN = /^([\w-]{22})([\w-]{43})$/u;

type Ctx = { config: Pick<Config, 'AUTH_SECRET' | 'AUTH_SECRET_OLD' | 'PUBLIC_URL'> };

/** The token doesn't contain the email, but its signature is valid only for that email. */
const sign = (secret: string, email: string, device: string): string =>
  createHmac('sha256', secret)
    .update(`device|${accountKey(email)}|${device}`)
    .digest('base64url');

const isSecure = ({ config }: Ctx) => config.PUBLIC_URL?.startsWith('https://') ?? false;

/** Also by the name of before: devices stay known. */
const tokensOf = (c: Context) => (getCookie(c, SECURE_NAME) ?? getCookie(c, NAME) ?? '').split('.').slice(0, ACCOUNTS);

/** The id of this device for the account; null when nobody has signed in to it here yet. */
export function findDevice(ctx: Ctx, c: Context, email: string): string | null {
  for (const token of tokensOf(c)) {
    const [, device = '', signature = ''] = TOKEN.exec(token) ?? [];
    if (device === '') continue;
    if (signedBy(secretsOf(ctx.config), signature, (secret) => sign(secret, email, device)) !== undefined)
      return device;
  }
  return null;
}

/** Sets the cookie that identifies this browser to the account. */
export function rememberDevice(ctx: Ctx, c: Context, email: string, answer: Response): void {
  const deviceToken = findDevice(ctx, c, email);
  const device = randomBytes(16).toString('base64url');
  const others = tokensOf(c).filter(
    (token) => TOKEN.test(token) && (deviceToken === null || !token.startsWith(deviceToken)),
  );
  const cookie = generateCookie(
    isSecure(ctx) ? SECURE_NAME : NAME,
    [`${device}${sign(secretsOf(ctx.config)[0], email, device)}`, ...others].slice(0, ACCOUNTS).join('.'),
    {
      path: isSecure(ctx) ? '/' : '/api/auth',
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure(ctx),
      maxAge: YEAR_SECONDS,
    },
  );
  answer.headers.append('Set-Cookie', cookie);
}

/** After a complete sign-in: a device that the account doesn't know yet is remembered, and its owner hears of it by mail. */
export async function noteSignIn(
  deps: Deps,
  c: Context,
  { email, address }: { email: string; address: string },
  answer: Response,
): Promise<void> {
  const isKnown = findDevice(deps, c, email) !== null;
  rememberDevice(deps, c, email, answer);
  if (isKnown) return;
  const device = describeDevice(c.req.header('user-agent') ?? '');
  await mailAboutDevice(deps, { email, device, address });
}
