import type { SettingName } from '@atelier/contract/agents';

/** What the fields of an agent are called on the screen. */
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
