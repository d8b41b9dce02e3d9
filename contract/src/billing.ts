import { z } from 'zod';
import { calls, get, post, under } from './calls.ts';
import { type Distrust, distrust, SENTENCES } from './errors.ts';
import { instant } from './ids.ts';

/** What Pro costs: shown in dollars, charged once in rand. `amount` counts the currency's minor units (cents). */
export const PRO_PRICE = { usd: 15, amount: 27_500, currency: 'ZAR' } as const;

/** An amount in minor units as people read it, for example `ZAR 275.00`. */
export const formatAmount = (amount: number, currency: string) => `${currency} ${(amount / 100).toFixed(2)}`;

/**
 * Where a payment stands. `issued`: our reference, the provider not yet asked; `open`: handed to the browser; `abandoned`, `failed`,
 * `pending`: what the provider says of it meanwhile (each may still be paid); `paid`: verified, Pro given; `refund_due`: paid although
 * the account was Pro already; `refused`: paid, but not what was asked for; `refunded`: given back; `void`: never reached the provider.
 */
export const PAYMENT_STATES = {
  issued: 'Being prepared',
  open: 'Not paid',
  pending: 'Being confirmed',
  abandoned: 'Not completed',
  failed: 'Declined',
  paid: 'Paid',
  refund_due: 'Paid twice: a refund is due',
  refused: 'Wrong amount or currency: please contact support',
  refunded: 'Refunded',
  void: 'Never started',
} as const;
export type PaymentState = keyof typeof PAYMENT_STATES;
export const paymentState = z.enum(Object.keys(PAYMENT_STATES) as [PaymentState, ...PaymentState[]]);
/** May still be paid, as far as anybody knows. */
export const UNDECIDED: ReadonlySet<PaymentState> = new Set(['issued', 'open', 'pending', 'abandoned']);

/** Who learnt of a change: the payer's page, the provider's webhook, our own re-check, or the start of a checkout. */
export const paymentSource = z.enum(['browser', 'webhook', 'reconciliation', 'checkout']);
export type PaymentSource = z.infer<typeof paymentSource>;

export const paymentMode = z.enum(['sandbox', 'test', 'live']);
export type PaymentMode = z.infer<typeof paymentMode>;

/** What the checkout form said at its end: paid, or that a bank transfer is on its way. Never proof of anything. */
export const paymentReport = z.enum(['reported', 'transfer']);
export type PaymentReport = z.infer<typeof paymentReport>;

/** One payment with everything that happened to it, oldest first: the receipt. */
export const payment = z.object({
  reference: z.string(),
  state: paymentState,
  /** No money moves in `sandbox` and `test`. */
  mode: paymentMode,
  amount: z.number().int(),
  currency: z.string(),
  createdAt: instant,
  paidAt: instant.nullable(),
  /** The page reported a payment or transfer that the provider hasn't confirmed. Gives nothing; pages don't offer the purchase again. */
  confirming: paymentReport.nullable(),
  /** `entry` is a state, a report (`reported`, `transfer`), or the provider's own name of a refund or dispute event. */
  events: z.array(z.object({ at: instant, entry: z.string(), source: paymentSource })),
});
export type Payment = z.infer<typeof payment>;

export const providerName = z.enum(['paystack', 'sandbox']);
export type ProviderName = z.infer<typeof providerName>;
/** `off`: nothing can be bought at this installation. */
export const paymentProvider = z.enum([...providerName.options, 'off']);
export type PaymentProvider = z.infer<typeof paymentProvider>;
/** Why nothing can be bought. */
export const PAYMENT_OFF: Record<Distrust, string> = {
  settings: SENTENCES.paymentOff,
  proxy: SENTENCES.paymentProxied,
  address: SENTENCES.paymentElsewhere,
};

/** `GET /api/billing`, and what a re-check of all open payments answers. */
export const billingAnswer = z.object({
  plan: z.enum(['free', 'pro']),
  provider: paymentProvider,
  /** With `off`. */
  offBecause: distrust.nullable(),
  price: z.object({ usd: z.number(), amount: z.number().int(), currency: z.string() }),
  /** Newest first. */
  payments: z.array(payment),
});
export type Billing = z.infer<typeof billingAnswer>;

/** What the browser needs to open the provider's checkout. */
export const checkoutAnswer = z.object({
  provider: providerName,
  /** The provider's token for this checkout. */
  accessCode: z.string(),
  reference: z.string(),
  publicKey: z.string(),
  amount: z.number().int(),
  currency: z.string(),
});
export type Checkout = z.infer<typeof checkoutAnswer>;

export const verifyBody = z.strictObject({ reference: z.string().min(1).max(100), report: paymentReport.optional() });
export type VerifyBody = z.infer<typeof verifyBody>;
export const verifyAnswer = z.object({ plan: z.enum(['free', 'pro']), payment });
export type Verification = z.infer<typeof verifyAnswer>;

/** What a person may choose on the sandbox's checkout page. */
export const sandboxOutcome = z.enum(['success', 'decline', 'cancel', 'pending', 'setup_error', 'silence']);
export type SandboxOutcome = z.infer<typeof sandboxOutcome>;
export const sandboxOutcomeBody = z.strictObject({ outcome: sandboxOutcome });
export const sandboxAnswer = z.object({ reference: z.string(), status: z.string() });
export const webhookAnswer = z.object({ received: z.literal(true) });

export const billingCalls = calls('/api/billing', {
  get: get('', 'getBilling', 'Plan, price and payments.', { answer: billingAnswer }),
  checkout: post('/checkout', 'startCheckout', 'Begins a payment.', {
    answer: checkoutAnswer,
    fails: ['forbidden', 'conflict', 'provider_failed'],
  }),
  verify: post('/verify', 'verifyPayment', 'Asks the provider about a payment.', {
    body: verifyBody,
    answer: verifyAnswer,
    fails: ['not_found', 'provider_failed'],
  }),
  recheck: post('/recheck', 'recheckPayments', 'Asks about every open payment.', {
    answer: billingAnswer,
    fails: ['provider_failed'],
  }),
});

export const sandboxCalls = calls('/api/sandbox', {
  chooseOutcome: post('/checkout/:accessCode', 'chooseOutcome', 'Ends a test payment.', {
    body: sandboxOutcomeBody,
    answer: sandboxAnswer,
    fails: ['provider_failed'],
  }),
});

/** One for each provider's server. */
export const webhookCalls = calls(under('/api/webhooks', { who: 'public', answer: webhookAnswer }), {
  paystack: post('/paystack', 'receivePaystack', 'For Paystack’s server.'),
  sandbox: post('/sandbox', 'receiveSandbox', 'For the sandbox’s server.'),
});
