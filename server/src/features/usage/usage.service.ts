import { dayAfter, type UsageQuery, type UsageReport } from '@atelier/contract/usage';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { costOf } from '../../platform/models/catalogue/prices.ts';
import { countTokens } from './usage.queries.ts';

/** More rows are no overview. */
const ROWS_MAX = 10_000;

/**
 * What models took for the caller, by day, agent, model and purpose; the days begin at midnight in the caller's time zone. What was deleted
 * since is among it. 400 when there is too much for one answer.
 */
export async function reportUsage(ctx: Deps, caller: Caller, { from, to, timeZone }: UsageQuery): Promise<UsageReport> {
  const counts = await countTokens(ctx.db, caller.uid, dayStarts(from, to, timeZone), ROWS_MAX + 1);
  if (counts.length > ROWS_MAX) {
    throw new AppError('invalid_input', 'There is too much in these days. Choose fewer.', { field: 'from' });
  }
  const rows = counts.map(
    ({ day, slug, name, deletedAt, model, purpose, calls, input, output, estimated, ...paid }) => ({
      day: dayAfter(from, day - 1),
      purpose,
      agentId: slug ?? '',
      agentName: name ?? '',
      agentDeleted: deletedAt !== null,
      model,
      answers: purpose === 'answer' ? calls : 0,
      calls,
      inputTokens: input,
      outputTokens: output,
      estimated,
      cost: paid.currency === ctx.models.currency ? paid.cost : costOf(ctx.models.priceOf(model), { input, output }),
    }),
  );
  return { from, to, timeZone, currency: ctx.models.currency, rows };
}

const DAY_MS = 86_400_000;

/**
 * When each day from `from` to `to` begins in a time zone, in order, and last when the day after them does. Where clocks skip midnight, a
 * day begins with its first instant.
 */
export function dayStarts(from: string, to: string, timeZone: string): Date[] {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  /** What a clock there shows, as if it were UTC. */
  const shown = (at: number) => {
    const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const [year, month, day] = [part('year'), part('month') - 1, part('day')];
    return Date.UTC(year, month, day, part('hour'), part('minute'), part('second'));
  };
  const startOf = (day: string) => {
    const midnight = Date.parse(day);
    // The clock's distance from UTC on the days around: two where it changes between them.
    const distances = [-DAY_MS, DAY_MS].map((by) => shown(midnight + by) - (midnight + by));
    const starts = distances.map((distance) => midnight - distance).toSorted((a, b) => a - b);
    return new Date(starts.find((at) => shown(at) >= midnight) ?? starts.at(-1) ?? midnight);
  };
  const starts = [startOf(from)];
  for (let day = from; day <= to; ) {
    day = dayAfter(day, 1);
    starts.push(startOf(day));
  }
  return starts;
}
