import { agentCreate } from '@atelier/contract/agents';
import { READY_AGENTS } from '@atelier/contract/agents/ready-agents';
import { expect, it } from 'vitest';

it('offers three agents that the server accepts as they are, none of them published or with tools', () => {
  expect(READY_AGENTS).toHaveLength(3);
  for (const { agent, opener, askBack } of READY_AGENTS) {
    expect(agentCreate.parse(agent)).toMatchObject({ ...agent, isPublic: false, tools: [], memoryEnabled: true });
    expect(askBack).toMatch(/\?$/u);
    expect(opener).not.toMatch(/\?$/u);
  }
  expect(new Set(READY_AGENTS.map(({ agent }) => agent.name)).size).toBe(3);
});
