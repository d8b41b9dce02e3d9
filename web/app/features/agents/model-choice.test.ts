import type { ModelInfo } from '@atelier/contract/accounts';
import { describe, expect, it } from 'vitest';
import { defaultModel, isAccepted, modelHint, modelOptions, takesTemperature } from './model-choice.ts';

const info = (id: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  label: id,
  tools: true,
  sight: false,
  hearing: false,
  reasoning: false,
  temperature: true,
  contextTokens: 131_072,
  ...more,
});
const LLAMA = { models: [info('llama3.2')], excludedModels: [], standIn: 'llama3.2' };
const OFFLINE = { models: [info('gpt-3.5-turbo'), info('gpt-4')], excludedModels: [], standIn: null };
const OPENAI = {
  models: [info('gpt-4'), info('o3', { reasoning: true, sight: true, hearing: true, temperature: false })],
  excludedModels: [],
  standIn: 'gpt-4',
};

const WITHOUT_GPT4 = { models: [info('o3')], excludedModels: ['gpt-4'], standIn: 'o3' };

describe('the model of a new agent', () => {
  it.each([
    ['without a provider', OFFLINE, 'gpt-4'],
    ['where a provider has gpt-4', OPENAI, 'gpt-4'],
    ['where none has', LLAMA, 'llama3.2'],
    ['where the operator has taken it away', WITHOUT_GPT4, 'o3'],
    ['before anything is known', undefined, 'gpt-4'],
  ])('%s', (_name, offer, id) => expect(defaultModel(offer)).toBe(id));
});

it('the agent’s own model can be kept where it is not offered, and the form says what answers', () => {
  expect(modelOptions(LLAMA, 'gpt-4').map(({ value }) => value)).toEqual(['llama3.2', 'gpt-4']);
  expect(modelOptions(OPENAI, 'gpt-4').map(({ value }) => value)).toEqual(['gpt-4', 'o3']);
  expect(modelHint(LLAMA, 'gpt-4')).toBe('gpt-4 is not offered here. llama3.2 answers in its place.');
  // A change away from it can be undone only where the server takes it back.
  expect(['gpt-4', 'llama3.2', 'o3'].map((model) => isAccepted(LLAMA, model))).toEqual([true, true, false]);
});

it('a model that the operator has taken away says so, and can’t be given back', () => {
  expect(modelHint(WITHOUT_GPT4, 'gpt-4')).toBe(
    'The operator has taken gpt-4 away. The agent doesn’t answer until you choose another model.',
  );
  expect(modelOptions(WITHOUT_GPT4, 'gpt-4').map(({ value }) => value)).toEqual(['o3', 'gpt-4']);
  expect(['gpt-4', 'gpt-3.5-turbo', 'o3'].map((model) => isAccepted(WITHOUT_GPT4, model))).toEqual([false, true, true]);
});

it('says what the chosen model can do, where a provider answers', () => {
  expect(modelHint(OPENAI, 'o3')).toBe(
    'Reads 131K tokens at once, uses tools, sees pictures, hears sounds, thinks before it answers.',
  );
  expect(modelHint(OFFLINE, 'gpt-4')).toBeUndefined();
  expect([takesTemperature(OPENAI, 'o3'), takesTemperature(OPENAI, 'gpt-4'), takesTemperature(LLAMA, 'gpt-4')]).toEqual(
    [false, true, true],
  );
});
