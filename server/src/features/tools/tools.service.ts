import type { Tool } from '@atelier/contract/agents';

/** Every tool that an agent may be given. None is installed yet. */
export function listTools(): Tool[] {
  return [];
}
