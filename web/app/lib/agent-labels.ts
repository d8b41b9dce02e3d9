import type { SettingName } from '@atelier/contract/agents';

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
