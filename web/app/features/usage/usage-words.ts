import { formatMoney } from '../../ui/formats.ts';

/** An amount of money; small ones with as many digits as it takes. */
export function formatCost(cost: number | null, currency: string): string {
  if (cost === null) return 'not known';
  if (cost === 0) return 'Free';
  return formatMoney(cost, currency);
}

/** A model as the page shows it. */
export const modelName = (model: string): string => (model === 'offline' ? 'Built-in offline model' : model);
