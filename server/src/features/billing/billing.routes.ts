import { sandboxOutcomeBody, verifyBody } from '@atelier/contract/billing';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { limitBody, validate } from '../../platform/http/validate.ts';
import { startCheckout } from './billing.checkout.service.ts';
import { getBilling, ownAccessCode, recheckPayments, verifyPayment } from './billing.status.service.ts';
import { receiveWebhook } from './billing.webhook.service.ts';

const WEBHOOK_BYTES = 256 * 1024;

export function billingRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), async (c) => c.json(await getBilling(deps, c.get('caller'))))
    .post('/checkout', requires('user'), async (c) => c.json(await startCheckout(deps, c.get('caller'))))
    .post('/verify', requires('user'), validate('json', verifyBody), async (c) =>
      c.json(await verifyPayment(deps, c.get('caller'), c.req.valid('json').reference)),
    )
    .post('/recheck', requires('user'), async (c) => c.json(await recheckPayments(deps, c.get('caller'))));
}

/** Mounted before the origin rule: the provider's server has no origin, its signature stands for it. */
export function webhookRoutes(deps: Deps) {
  return new Hono<AppEnv>().post('/paystack', requires('public'), limitBody(WEBHOOK_BYTES), async (c) => {
    const body = new Uint8Array(await c.req.arrayBuffer());
    await receiveWebhook(deps, body, c.req.header('x-paystack-signature'));
    return c.json({ received: true });
  });
}

/** What the buttons of the sandbox's checkout page call; nothing at all where payments are real. */
export function sandboxRoutes(deps: Deps) {
  const { decide } = deps.payments;
  const routes = new Hono<AppEnv>();
  if (decide === null) return routes;
  return routes.post('/checkout/:accessCode', requires('user'), validate('json', sandboxOutcomeBody), async (c) => {
    const accessCode = await ownAccessCode(deps, c.get('caller'), c.req.param('accessCode'));
    return c.json(await decide(accessCode, c.req.valid('json').outcome));
  });
}
