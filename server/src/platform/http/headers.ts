import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Config } from '../../config.ts';
import type { Payments } from '../payments/payments.ts';
import { isSandboxPage } from './web-pages.ts';

/** The headers that keep pages safe: framed by nobody but the sandbox's checkout, which our own pages frame. */
export function safeHeaders(config: Config, { current }: Payments): MiddlewareHandler {
  const headers = (xFrameOptions: 'DENY' | 'SAMEORIGIN') =>
    secureHeaders({
      xFrameOptions,
      referrerPolicy: 'same-origin',
      strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') ?? false,
      // Banks confirm a card in a window that the provider's form opens and has to hear from.
      crossOriginOpenerPolicy: current?.browser.frames.length ? 'same-origin-allow-popups' : 'same-origin',
    });
  const [framed, unframed] = [headers('SAMEORIGIN'), headers('DENY')];
  return (c, next) => (isSandboxPage(c.req.path) ? framed(c, next) : unframed(c, next));
}

/**
 * No answer of the API is kept by a browser. Without a word about it the way back through the history takes kept answers for good:
 * it would show what was forgotten meanwhile, or what belongs to the account before.
 */
export const noStore: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};
