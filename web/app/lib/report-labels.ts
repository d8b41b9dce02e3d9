import type { ReportKind } from '@atelier/contract/explore';

/** Why an agent is reported, as people read it. */
export const REPORT_LABELS: Record<ReportKind, string> = {
  spam: 'Spam or advertising',
  harmful: 'Harmful or deceptive',
  imitation: 'Pretends to be somebody else’s',
  rights: 'Uses what isn’t the author’s',
  other: 'Something else',
};
