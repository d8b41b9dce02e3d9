import { dayAfter, type UsageQuery, type UsageReport } from '@atelier/contract/usage';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { costOf } from '../../platform/models/catalogue/prices.ts';
import { dayStarts } from './day-starts.ts';
import { countTokens } from './usage.queries.ts';

/** More rows are no overview. */
const ROWS_MAX = 5_000;

/**
 * What the caller's answers took, by day, agent and model; the days begin at midnight in the caller's time zone. Answers of deleted sessions
 * are gone. 400 when there is too much for one answer.
 */
export async function reportUsage(ctx: Deps, caller: Caller, { from, to, timeZone }: UsageQuery): Promise<UsageReport> {
  const found = await countTokens(ctx.db, caller.uid, dayStarts(from, to, timeZone), ROWS_MAX + 1);
  if (found.length > ROWS_MAX) {
    throw new AppError('invalid_input', 'There is too much in these days. Choose fewer.', { field: 'from' });
  }
  const rows = found.map(({ day, slug, name, deletedAt, model, answers, input, output, estimated }) => ({
    day: dayAfter(from, day - 1),
    agentId: slug,
    agentName: name,
    agentDeleted: deletedAt !== null,
    model,
    answers,
    inputTokens: input,
    outputTokens: output,
    estimated,
    cost: costOf(ctx.models.priceOf(model), { input, output }),
  }));
  return { from, to, timeZone, currency: ctx.models.currency, rows };
}
