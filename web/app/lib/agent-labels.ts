import type { AgentSettings, SettingName } from '@atelier/contract/agents';

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
