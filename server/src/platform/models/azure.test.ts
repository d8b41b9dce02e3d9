import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { startFakeWire } from '../../testing/fake-openai.ts';
import { closing } from '../../testing/lifetimes.ts';
import { spoken } from '../../testing/openai-wire.ts';
import { createModels } from './create-models.ts';

const wire = await closing(startFakeWire());

describe('an address of Azure', () => {
  const CHAT = '/openai/deployments/my-gpt/chat/completions';
  const question = {
    model: 'my-gpt',
    instructions: 'x',
    messages: [{ role: 'user' as const, text: 'y' }],
    context: { agentName: 'A', prompt: 'x', remembers: true, memories: [] },
    signal: new AbortController().signal,
  };
  const tool = { name: 'clock', description: 'Time.', inputSchema: { type: 'object' }, execute: async () => '12:00' };

  it.each(['', '/chat/completions'])('names its model; key and version go as Azure wants them (%s)', async (path) => {
    wire.reset();
    wire.on(CHAT, { body: spoken('Hi.') });
    const models = createModels(
      readConfig({
        OPENAI_BASE_URL: `${wire.origin}/openai/deployments/my-gpt${path}?api-version=2024-10-21`,
        OPENAI_API_KEY: 'k-7f3a9b1c5d',
      }),
    );
    await models.refresh();
    expect(models.resolve('gpt-4').id).toBe('my-gpt');
    for (const tools of [[], [tool]]) {
      for await (const event of models.stream({ ...question, tools })) expect(event.type).toMatch(/delta|end/u);
    }
    expect(await models.title({ ...question, question: 'y', answer: 'z' })).toBe('Hi');
    const asked = wire.to(CHAT);
    expect(asked.map(({ path: address }) => address)).toEqual(Array(3).fill(`${CHAT}?api-version=2024-10-21`));
    for (const { headers } of asked) {
      expect(headers['api-key']).toBe('k-7f3a9b1c5d');
      expect(headers.authorization).toBeUndefined();
    }
  });
});
