const whole = new Intl.NumberFormat();
export const formatTokens = (n: number): string => whole.format(n);

/** An amount of money; small ones with as many digits as it takes. */
export function formatCost(cost: number | null, currency: string): string {
  if (cost === null) return 'not known';
  if (cost === 0) return 'Free';
  const digits = cost < 0.1 ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits }).format(cost);
}

const shortDay = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', day: 'numeric', month: 'short' });
/** A calendar day, such as Nov 23. */
export const formatDay = (day: string): string => shortDay.format(new Date(day));

/** A model as the page shows it. */
export const modelName = (model: string): string => (model === 'offline' ? 'Built-in offline model' : model);
