import { z } from 'zod';
import { calls, get } from './calls.ts';

/** A day of the calendar, such as 2026-11-23. */
export const calendarDay = z.iso.date('Write a day as 2026-11-23.');
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

export const USAGE_DAYS_MAX = 366;

const DAY_MS = 86_400_000;
/** How many days from one day to another, both counted. */
export const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
/** The day some days later, or earlier. */
export const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

export const usageQuery = z
  .object({
    from: calendarDay,
    to: calendarDay,
    /** A name such as Europe/Lisbon; its midnights begin the days. */
    timeZone: z.string().min(1).max(100).refine(isTimeZone, 'There is no such time zone.').default('UTC'),
  })
  .refine(({ from, to }) => from >= FIRST_DAY && to <= LAST_DAY, {
    path: ['from'],
    message: 'Choose days between the years 2000 and 2999.',
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'The last day is before the first.' })
  .refine(({ from, to }) => daysBetween(from, to) <= USAGE_DAYS_MAX, {
    path: ['to'],
    message: `Choose at most ${USAGE_DAYS_MAX} days.`,
  });
export type UsageQuery = z.infer<typeof usageQuery>;

/** What a model was asked for: the answer to a message, or something in the background. */
export const usagePurpose = z.enum(['answer', 'title', 'summary', 'facts', 'embedding']);
export type UsagePurpose = z.infer<typeof usagePurpose>;

/** What one model did for one agent on one day. */
export const usageRow = z.object({
  day: calendarDay,
  purpose: usagePurpose,
  /** The agent's address; its last one if it was deleted. Empty, like its name, for searches over all agents. */
  agentId: z.string(),
  agentName: z.string(),
  agentDeleted: z.boolean(),
  /** `offline` for the built-in one. */
  model: z.string(),
  answers: z.number().int(),
  /** How often the model was asked: the answers, or the calls in the background. */
  calls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Of how many calls the tokens are estimated, because the provider did not count them. */
  estimated: z.number().int(),
  /** At the price of then, or the model's present one where none was known; null where that isn't either. */
  cost: z.number().nullable(),
});
export type UsageRow = z.infer<typeof usageRow>;

export const usageAnswer = z.object({
  from: calendarDay,
  to: calendarDay,
  timeZone: z.string(),
  /** Of every cost, for example USD. */
  currency: z.string(),
  /** By day, then by agent, model and purpose. Days without answers are left out. */
  rows: z.array(usageRow),
});
export type UsageReport = z.infer<typeof usageAnswer>;

/** A budget as people see it. */
export const budgetState = z.object({
  /** `server`: all accounts together. */
  scope: z.enum(['account', 'server']),
  /** Begins at midnight in UTC. */
  period: z.enum(['day', 'month']),
  unit: z.enum(['tokens', 'cost']),
  most: z.number(),
  /** What the account has used, and what its answers under way have reserved; null for all accounts together. */
  use: z.object({ used: z.number(), reserved: z.number() }).nullable(),
  /** When the next period begins. */
  opensAt: z.iso.datetime(),
});
export type BudgetState = z.infer<typeof budgetState>;

export const budgetsAnswer = z.object({
  /** Of every cost, for example USD. */
  currency: z.string(),
  /** None unless the operator has set some. */
  budgets: z.array(budgetState),
});
export type BudgetsAnswer = z.infer<typeof budgetsAnswer>;

export const usageCalls = calls('/api/usage', {
  report: get('', 'getUsage', 'Tokens and cost, by day, agent and model.', {
    rate: 'searches',
    query: usageQuery,
    answer: usageAnswer,
  }),
  budgets: get('/budgets', 'getBudgets', 'The budgets that bind the account, and what is left.', {
    answer: budgetsAnswer,
  }),
});
