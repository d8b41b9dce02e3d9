import { billingCalls, type ProviderName, sandboxCalls, webhookCalls } from '@atelier/contract/billing';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { limitBody } from '../../platform/http/validate.ts';
import { serve } from '../../serve.ts';
import { accountKey, consumeAttempt, type Rule, refuseHaste } from '../accounts/accounts.limits.service.ts';
import { startCheckout } from './billing.checkout.service.ts';
import { receiveWebhook } from './billing.outcome.service.ts';
import { getBilling, recheckPayments, requireOwnToken, verifyPayment } from './billing.status.service.ts';

const WEBHOOK_BYTES = 256 * 1024;

/** A payment takes a few questions to the provider; what asks more would use up the provider's limit that all users share. */
const ASKING: Rule = { window: 60, max: 120 };

function limitAsking(deps: Deps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const consumed = await consumeAttempt(deps, `billing|${accountKey(c.get('caller').uid)}`, ASKING);
    refuseHaste(consumed, 'Too many attempts. Please try again in a minute.');
    return next();
  };
}

export function billingRoutes(deps: Deps) {
  const limit = [limitAsking(deps)];
  return serve(
    billingCalls,
    {
      get: ({ caller }) => getBilling(deps, caller),
      checkout: ({ caller }) => startCheckout(deps, caller),
      verify: ({ caller, body }) => verifyPayment(deps, caller, body),
      recheck: ({ caller }) => recheckPayments(deps, caller),
    },
    { checkout: limit, verify: limit, recheck: limit },
  );
}

/** Mounted before the origin rule: a provider's server has no origin, its signature stands for it. */
export function webhookRoutes(deps: Deps) {
  const limit = [limitBody(WEBHOOK_BYTES)];
  const receive =
    (name: ProviderName) =>
    async ({ c }: { c: Context }) => {
      await receiveWebhook(deps, name, new Uint8Array(await c.req.arrayBuffer()), c.req.raw.headers);
      return { received: true as const };
    };
  return serve(
    webhookCalls,
    { paystack: receive('paystack'), sandbox: receive('sandbox') },
    { paystack: limit, sandbox: limit },
  );
}

/** What the buttons of the sandbox's checkout page call; nothing at all where payments are real, or for who may not rehearse. */
export function sandboxRoutes(deps: Deps) {
  if (deps.payments.current?.mode !== 'sandbox') return new Hono<AppEnv>();
  return serve(sandboxCalls, {
    chooseOutcome: async ({ caller, params, body }) => {
      const chooseOutcome = deps.payments.current?.chooseOutcome;
      if (chooseOutcome === undefined) throw notFound('This checkout');
      await requireOwnToken(deps, caller, params.accessCode);
      return chooseOutcome(params.accessCode, body.outcome);
    },
  });
}
