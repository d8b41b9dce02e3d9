import { contactBody } from '@atelier/contract/contact';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import { createClientAddress } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { receiveMessage } from './contact.service.ts';

/** Longer keys are cut: honest ones are shorter. */
const KEY_CHARS = 200;

export function contactRoutes(deps: Deps) {
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  return new Hono<AppEnv>().post('/', requires('public'), validate('json', contactBody), async (c) => {
    const idempotencyKey = c.req.header('idempotency-key')?.slice(0, KEY_CHARS) ?? crypto.randomUUID();
    const caller = await c.get('findCaller')();
    await receiveMessage(deps, caller, { ...c.req.valid('json'), address: addressOf(c), idempotencyKey });
    return c.json({ received: true }, 201);
  });
}
