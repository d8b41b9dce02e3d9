import { z } from 'zod';
import { calls, get } from '../calls.ts';
import { instant } from '../ids.ts';

/** How far an operator’s counts go; one more means that there are more. */
export const COUNT_MAX = 10_000;
const bounded = z
  .number()
  .int()
  .max(COUNT_MAX + 1);

/** A part of the installation, as it was when it was last tried. */
export const installationPart = z.object({
  name: z.string(),
  /** Which one it is. */
  of: z.string(),
  state: z.enum(['ok', 'not set', 'broken']),
  /** What works, or what is wrong and what to do. */
  about: z.string(),
});

/** How the installation is, in counts and sizes. A day begins at 00:00 UTC. */
export const overviewAnswer = z.object({
  version: z.string(),
  /** Accounts for which a model answered. */
  people: z.object({ lastDay: bounded, lastMonth: bounded }),
  today: z.object({
    exchanges: z.number().int(),
    /** Exchanges that failed or were interrupted. */
    errors: bounded,
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    /** Where prices are known. */
    costs: z.array(z.object({ currency: z.string(), amount: z.number() })),
  }),
  /** In bytes. */
  storage: z.object({ database: z.number().int(), files: z.number().int(), attachments: z.number().int() }),
  /** Null before the first, and where none are made by themselves. */
  lastBackupAt: instant.nullable(),
  parts: z.array(installationPart),
  /** What needs a person. */
  due: z.object({
    /** Payments to give back, and disputes that are open. */
    payments: bounded,
    messages: bounded,
    failedJobs: bounded,
    /** New accounts that wait to be let in. */
    waiting: bounded,
    /** Public agents with reports that nobody has decided about. */
    reportedAgents: bounded,
    /** Of the configured servers, those with tools that changed since they were approved. */
    changedTools: z.array(z.object({ server: z.string(), tools: z.number().int() })),
  }),
});
export type Overview = z.infer<typeof overviewAnswer>;

export const overviewCalls = calls('/api/admin/overview', {
  read: get('', 'getOverview', 'How the installation is, and what needs a person.', {
    who: 'operator',
    answer: overviewAnswer,
  }),
});
