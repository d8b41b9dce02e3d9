import { providerName, sandboxOutcomeBody, verifyBody } from '@atelier/contract/billing';
import { Hono, type MiddlewareHandler } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { limitBody, validate } from '../../platform/http/validate.ts';
import { accountKey } from '../accounts/accounts.limits.service.ts';
import { consumeAttempt, type Rule } from '../accounts/limits/attempts.service.ts';
import { startCheckout } from './billing.checkout.service.ts';
import { getBilling, recheckPayments, requireOwnToken, verifyPayment } from './billing.status.service.ts';
import { receiveWebhook } from './billing.webhook.service.ts';

const WEBHOOK_BYTES = 256 * 1024;

/** A payment takes a few questions to the provider; what asks more would use up the provider's limit that all users share. */
const ASKING: Rule = { window: 60, max: 120 };

function limitAsking(deps: Deps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { retryAfter } = await consumeAttempt(deps, `billing|${accountKey(c.get('caller').uid)}`, ASKING);
    if (retryAfter === null) return next();
    throw new AppError('too_many_requests', 'Too many attempts. Please try again in a minute.', {
      retryAfterSeconds: retryAfter,
    });
  };
}

export function billingRoutes(deps: Deps) {
  const limit = limitAsking(deps);
  return new Hono<AppEnv>()
    .get('/', requires('user'), async (c) => c.json(await getBilling(deps, c.get('caller'))))
    .post('/checkout', requires('user'), limit, async (c) => c.json(await startCheckout(deps, c.get('caller'))))
    .post('/verify', requires('user'), limit, validate('json', verifyBody), async (c) =>
      c.json(await verifyPayment(deps, c.get('caller'), c.req.valid('json'))),
    )
    .post('/recheck', requires('user'), limit, async (c) => c.json(await recheckPayments(deps, c.get('caller'))));
}

/** One address for each provider. Mounted before the origin rule: a provider's server has no origin, its signature stands for it. */
export function webhookRoutes(deps: Deps) {
  const routes = new Hono<AppEnv>();
  for (const name of providerName.options) {
    routes.post(`/${name}`, requires('public'), limitBody(WEBHOOK_BYTES), async (c) => {
      await receiveWebhook(deps, name, new Uint8Array(await c.req.arrayBuffer()), c.req.raw.headers);
      return c.json({ received: true });
    });
  }
  return routes;
}

/** What the buttons of the sandbox's checkout page call; nothing at all where payments are real, or for who may not rehearse. */
export function sandboxRoutes(deps: Deps) {
  const routes = new Hono<AppEnv>();
  if (deps.payments.current?.mode !== 'sandbox') return routes;
  return routes.post('/checkout/:accessCode', requires('user'), validate('json', sandboxOutcomeBody), async (c) => {
    const chooseOutcome = deps.payments.current?.chooseOutcome;
    if (chooseOutcome === undefined) throw notFound('This checkout');
    const token = c.req.param('accessCode');
    await requireOwnToken(deps, c.get('caller'), token);
    return c.json(await chooseOutcome(token, c.req.valid('json').outcome));
  });
}
