import type { BudgetState, UsagePurpose } from '@atelier/contract/usage';
import { formatMoney, formatNumber } from '../../ui/formats.ts';

/** An amount of money; small ones with as many digits as it takes. */
export function formatCost(cost: number | null, currency: string): string {
  if (cost === null) return 'not known';
  if (cost === 0) return 'Free';
  return formatMoney(cost, currency);
}

/** How much a budget allows, such as “100,000 tokens” or “5.00 €”. */
export const budgetAmount = ({ unit, most }: Pick<BudgetState, 'unit' | 'most'>, currency: string): string =>
  unit === 'tokens' ? `${formatNumber(most)} tokens` : formatMoney(most, currency);

/** What a model was asked for, as the page shows it. */
export const PURPOSES: Record<UsagePurpose, string> = {
  answer: 'Answers',
  title: 'Titles of sessions',
  summary: 'Summaries of long sessions',
  facts: 'Facts about you',
  embedding: 'Search by meaning',
};

/** A model as the page shows it. */
export const modelName = (model: string): string => (model === 'offline' ? 'Built-in offline model' : model);
