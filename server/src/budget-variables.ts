import { z } from 'zod';

const int = z.coerce.number().int();

/** Prices by model, as they are written in MODELS_FILE; null where one can't be read. */
function readPriceList(value: string): Record<string, { input: number; output: number }> | null {
  const entries = value.split(',').flatMap((part) => {
    const at = part.lastIndexOf('=');
    if (part.trim() === '') return [];
    const [input = Number.NaN, output = Number.NaN, ...more] = part
      .slice(at + 1)
      .split('/')
      .map(Number);
    const isPrice = at > 0 && more.length === 0 && input >= 0 && output >= 0 && input <= 1e6 && output <= 1e6;
    return [isPrice ? ([part.slice(0, at).trim(), { input, output }] as const) : null];
  });
  return entries.includes(null) ? null : Object.fromEntries(entries.filter((entry) => entry !== null));
}

const amount = z.coerce.number().positive().optional();

/** The settings of budgets and of what one account may have at once. */
export const budgets = {
  BUDGET_ACCOUNT_DAY_TOKENS: int
    .positive()
    .optional()
    .describe(
      'The most tokens that models may take for one account on a day in UTC, read and written together; see [budgets](running.md#budgets)',
    ),
  BUDGET_ACCOUNT_MONTH_TOKENS: int.positive().optional().describe('The same for a month'),
  BUDGET_ACCOUNT_DAY_COST: amount.describe(
    'The most money that models may take for one account on a day, in the currency of the prices. Models without a price can’t be used then',
  ),
  BUDGET_ACCOUNT_MONTH_COST: amount.describe('The same for a month'),
  BUDGET_SERVER_DAY_TOKENS: int.positive().optional().describe('The most tokens for all accounts together on a day'),
  BUDGET_SERVER_MONTH_TOKENS: int.positive().optional().describe('The same for a month'),
  BUDGET_SERVER_DAY_COST: amount.describe('The most money for all accounts together on a day'),
  BUDGET_SERVER_MONTH_COST: amount.describe('The same for a month'),
  BUDGET_RUN_TOKENS: int
    .min(1_000)
    .default(64_000)
    .describe(
      'While there are budgets: the most tokens of one answer, with all calls of tools; reserved before it begins. A quarter of it is the window of an answer with tools',
    ),
  RUNS_AT_ONCE: int.min(1).max(1_000).default(20).describe('How many answers of one account may be written at once'),
  STREAMS_AT_ONCE: int
    .min(1)
    .max(100)
    .default(20)
    .describe('How many live streams one account may hold in each process; a browser holds one for all its tabs'),
  AGENTS_MAX: int.min(1).optional().describe('The most agents of one account').meta({ defaultText: 'no limit' }),
  STORAGE_MB: int.min(1).default(1_024).describe('How many megabytes of files one account may have'),
  UPLOAD_MB: int.min(1).max(10).default(10).describe('How many megabytes one file may have, at most 10'),
  MODEL_PRICES: z
    .string()
    .default('')
    .transform(readPriceList)
    .refine(
      (prices) => prices !== null,
      'MODEL_PRICES is a list such as gpt-4=30/60, each the price of a million tokens read and written',
    )
    .transform((prices) => prices ?? {})
    .describe(
      'Prices of models that count before all others, for a million tokens read and written: `gpt-4=30/60,qwen3=0/0`. In US dollars, or the currency of `MODELS_FILE`',
    ),
};
