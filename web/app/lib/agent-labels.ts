import type { AgentSettings, SettingName } from '@atelier/contract/agents';
import type { ReportKind } from '@atelier/contract/explore';

/** The labels of an agent's fields. */
export const AGENT_LABELS = {
  name: 'Name',
  description: 'Description',
  prompt: 'Prompt',
  model: 'Model',
  tags: 'Tags',
  tools: 'Tools',
  temperature: 'Temperature',
  memoryEnabled: 'Memory',
  starters: 'Starters',
  isPublic: 'Public',
} as const satisfies Record<SettingName | 'isPublic', string>;

/** What everybody sees of a published agent. */
export const PUBLISHED = 'name, description, the whole prompt, model, settings, tags, tools and starters';

/** A setting's value, as text. */
export function shownSetting(value: AgentSettings[SettingName]): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' · ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === '' ? 'none' : String(value);
}

/** Why an agent is reported, as people read it. */
export const REPORT_LABELS: Record<ReportKind, string> = {
  spam: 'Spam or advertising',
  harmful: 'Harmful or deceptive',
  imitation: 'Pretends to be somebody else’s',
  rights: 'Uses what isn’t the author’s',
  other: 'Something else',
};
