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

/** The answers of one agent by one model on one day. */
export const usageRow = z.object({
  day: calendarDay,
  /** The agent's address; its last one if it was deleted. */
  agentId: z.string(),
  agentName: z.string(),
  agentDeleted: z.boolean(),
  /** `offline` for the built-in one. */
  model: z.string(),
  answers: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Of how many answers the tokens are estimated, because the provider did not count them. */
  estimated: z.number().int(),
  /** At the model's present price; null where that is not known. */
  cost: z.number().nullable(),
});
export type UsageRow = z.infer<typeof usageRow>;

export const usageAnswer = z.object({
  from: calendarDay,
  to: calendarDay,
  timeZone: z.string(),
  /** Of every cost, for example USD. */
  currency: z.string(),
  /** By day, then by agent and model. Days without answers are left out. */
  rows: z.array(usageRow),
});
export type UsageReport = z.infer<typeof usageAnswer>;

export const usageCalls = calls('/api/usage', {
  report: get('', 'getUsage', 'Tokens and cost, by day, agent and model.', {
    rate: 'searches',
    query: usageQuery,
    answer: usageAnswer,
  }),
});
