import { z } from 'zod';
import type { Log } from '../../log.ts';

/** What a model costs, for each million tokens. */
export interface Price {
  input: number;
  output: number;
}

/** The currency of prices that name none. */
export const DOLLARS = 'USD';
const MILLION = 1_000_000;

const amount = z.number().min(0).max(MILLION);
const price = z.strictObject({ input: amount, output: amount });

/** The prices of MODELS_FILE by model. One that can't be used is left out, and the log says why. */
export function readPrices(entries: Readonly<Record<string, unknown>>, log: Log): Map<string, Price> {
  const read = new Map<string, Price>();
  for (const [model, value] of Object.entries(entries)) {
    const parsed = price.safeParse(value);
    if (parsed.success) read.set(model, parsed.data);
    else
      log.info('models.price_off', { model: model.slice(0, 100), reason: 'it needs input and output, both 0 or more' });
  }
  return read;
}

const perToken = z.union([z.string().regex(/^\d/u).transform(Number), z.number()]).pipe(z.number().min(0).max(1));

/** What OpenRouter tells of a model: dollars for each token, as text. */
export const listedPrice = z
  .object({ prompt: perToken, completion: perToken })
  .transform(({ prompt, completion }): Price => ({ input: prompt * MILLION, output: completion * MILLION }));

/** What tokens cost; null without a price. */
export const costOf = (of: Price | null, tokens: { input: number; output: number }): number | null =>
  of === null ? null : (tokens.input * of.input + tokens.output * of.output) / MILLION;
