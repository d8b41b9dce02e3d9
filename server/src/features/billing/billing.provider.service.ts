import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, or, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { PaymentError, type PaymentProvider } from '../../platform/payments/payments.ts';
import { type PaymentRow, payments } from './billing.table.ts';

/** Whether a payment was made with this provider, in the mode that the provider is in now. */
export const isPaymentOf = (provider: Pick<PaymentProvider, 'name' | 'mode'>, payment: PaymentRow) =>
  payment.provider === provider.name && payment.mode === provider.mode;

/** The same as a condition, for all providers that are configured. */
export const hasProvider = ({ payments: { providers } }: Pick<Deps, 'payments'>) =>
  or(sql`false`, ...providers.map(({ name, mode }) => and(eq(payments.provider, name), eq(payments.mode, mode))));

/** Translates the provider's trouble for people, and writes down what it was. */
export const providerTrouble = (ctx: Pick<Deps, 'log'>) => (error: unknown) => {
  if (!(error instanceof PaymentError)) throw error;
  ctx.log.error('billing.provider', error);
  throw new AppError('provider_failed', SENTENCES.paymentProviderFailed, { cause: error });
};
