import type { AgentSettings } from '@atelier/contract/agents';
import { expect, test } from 'vitest';
import { readAgentFile } from './import-agent.tsx';

const agent: AgentSettings = {
  name: 'Chef',
  description: 'Cooks',
  prompt: 'p',
  model: 'gpt-4',
  tags: [' Food '],
  tools: [],
  temperature: 0.5,
  memoryEnabled: true,
  starters: [],
};
const read = (content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return readAgentFile(new File([text], 'agent.json'));
};

test('an agent file is read, its tags as they are stored', async () => {
  expect(await read({ format: 'atelier.agent', version: 1, agent })).toEqual({
    file: { format: 'atelier.agent', version: 1, agent: { ...agent, tags: ['food'] } },
  });
});

test('a file that is older than the description and the starters has none', async () => {
  const { description: _newer, starters: _too, ...older } = agent;
  expect(await read({ format: 'atelier.agent', version: 1, agent: older })).toMatchObject({
    file: { agent: { description: '', starters: [] } },
  });
});

test.each([
  ['no JSON', '{"format":', 'This is not an agent file: it is not JSON.'],
  ['something else', { hello: 1 }, 'This is not an Atelier agent file.'],
  ['null', null, 'This is not an Atelier agent file.'],
  [
    'another version',
    { format: 'atelier.agent', version: 9, agent },
    'version: This server reads agent files of version 1 only.',
  ],
  [
    'an unknown field',
    { format: 'atelier.agent', version: 1, agent: { ...agent, isPublic: true } },
    'The file has an unknown field: isPublic.',
  ],
  ['no name', { format: 'atelier.agent', version: 1, agent: { ...agent, name: '' } }, 'agent.name: Name is required.'],
  [
    'a long description',
    { format: 'atelier.agent', version: 1, agent: { ...agent, description: 'd'.repeat(161) } },
    'agent.description: The description can have at most 160 characters.',
  ],
  ['too much', 'x'.repeat(300_000), 'An agent file is at most 200 KB.'],
])('%s is refused in a sentence', async (_what, content, problem) => {
  expect(await read(content)).toEqual({ problem });
});
