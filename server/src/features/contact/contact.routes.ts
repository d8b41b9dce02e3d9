import { contactCalls } from '@atelier/contract/contact';
import { createClientAddress } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { receiveMessage } from './contact.service.ts';

/** Longer keys are cut: honest ones are shorter. */
const KEY_CHARS = 200;

export function contactRoutes(deps: Deps) {
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  return serve(contactCalls, {
    send: async ({ c, body }) => {
      const idempotencyKey = c.req.header('idempotency-key')?.slice(0, KEY_CHARS) ?? crypto.randomUUID();
      const caller = await c.get('findCaller')();
      await receiveMessage(deps, caller, { ...body, address: addressOf(c), idempotencyKey });
      return { received: true as const };
    },
  });
}
