import { dayAfter, type UsagePurpose, type UsageRow } from '@atelier/contract/usage';

/** Tokens and money of several rows. */
export interface UsageSum {
  answers: number;
  inputTokens: number;
  outputTokens: number;
  /** Of how many answers the tokens are estimated. */
  estimated: number;
  /** Null where no price is known. */
  cost: number | null;
  /** Some of it has no known price. */
  isPartial: boolean;
}

/** The sum of rows; money as far as prices are known. */
export function sumUsage(rows: readonly UsageRow[]): UsageSum {
  const add = (of: 'answers' | 'inputTokens' | 'outputTokens') => rows.reduce((sum, row) => sum + row[of], 0);
  const priced = rows.flatMap(({ cost }) => cost ?? []);
  const cost = priced.reduce((sum, one) => sum + one, 0);
  const isPartial = priced.length < rows.length;
  return {
    answers: add('answers'),
    inputTokens: add('inputTokens'),
    outputTokens: add('outputTokens'),
    estimated: rows.reduce((sum, row) => sum + (row.purpose === 'answer' ? row.estimated : 0), 0),
    // A total of 0 with “at least” would say nothing.
    cost: priced.length === 0 || (isPartial && cost === 0) ? null : cost,
    isPartial: isPartial && cost > 0,
  };
}

/** Every day from the first to the last, with what was used on it. */
export function sumByDay(rows: readonly UsageRow[], from: string, to: string): { day: string; sum: UsageSum }[] {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const days: { day: string; sum: UsageSum }[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) days.push({ day, sum: sumUsage(byDay.get(day) ?? []) });
  return days;
}

/** By what the model was asked for, most tokens first. */
export function sumByPurpose(rows: readonly UsageRow[]): { purpose: UsagePurpose; sum: UsageSum }[] {
  const groups = [...Map.groupBy(rows, ({ purpose }) => purpose)].map(([purpose, of]) => ({
    purpose,
    sum: sumUsage(of),
  }));
  return groups.toSorted((a, b) => tokensOf(b) - tokensOf(a));
}

const tokensOf = ({ sum }: { sum: UsageSum }) => sum.inputTokens + sum.outputTokens;

/** What an agent used with one model. */
export interface AgentUsage {
  key: string;
  agentName: string;
  agentDeleted: boolean;
  model: string;
  sum: UsageSum;
}

/** By agent and model, most tokens first. */
export function sumByAgent(rows: readonly UsageRow[]): AgentUsage[] {
  const keyOf = ({ agentId, agentName, agentDeleted, model }: UsageRow) =>
    JSON.stringify([agentId, agentName, agentDeleted, model]);
  const groups = [...Map.groupBy(rows, keyOf)].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return [];
    const { agentName, agentDeleted, model } = first;
    return [{ key, agentName, agentDeleted, model, sum: sumUsage([first, ...others]) }];
  });
  return groups.toSorted((a, b) => tokensOf(b) - tokensOf(a));
}
