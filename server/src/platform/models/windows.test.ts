import { APICallError } from 'ai';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { createModels } from './create-models.ts';
import { explainFailure } from './explain-failure.ts';
import { createWindows } from './windows.ts';

/** OpenAI documents a code, `context_length_exceeded`; these are the words of those that have none, or hide it. */
const REFUSALS = [
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9023 tokens.",
  'prompt is too long: 210000 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
  'the request exceeds the available context size, try increasing it',
  'input length exceeds the context length',
  'The number of tokens to keep from the initial prompt is greater than the context length.',
  'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.',
  'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
  'Please reduce the length of the messages or completion.',
  'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000',
  'too many tokens: total number of tokens in the prompt cannot exceed 4081',
  '`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens',
  "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
  'Input is too long for requested model.',
  'Range of input length should be [1, 30720]',
  'Your request exceeded model token limit: 8192',
  'invalid params, context window exceeds limit',
];

describe('a prompt that is too long', () => {
  it.each(REFUSALS)('%s', (message) => {
    expect(explainFailure({ error: { message } }, [])).toMatchObject({ isTooLong: true });
  });
  it('by its code alone', () => {
    expect(explainFailure({ code: 'context_length_exceeded', message: 'No.' }, [])).toMatchObject({ isTooLong: true });
  });
  it.each([
    'Invalid API key.',
    'The model is overloaded.',
    'Unknown field: tools',
    'Rate limit reached for requests',
    'This request would exceed the rate limit for your organization of 20,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.',
    'Too many tokens, please wait before trying again.',
    'Too many tokens per day',
  ])('is not: %s', (message) => expect(explainFailure({ error: { message } }, [])).toMatchObject({ isTooLong: false }));
  it('is not: a refusal for the time being, by its status alone', () => {
    const call = { message: '', url: '', requestBodyValues: {}, statusCode: 429, responseBody: '"Too many tokens."' };
    expect(explainFailure(new APICallError(call), [])).toMatchObject({ status: 429, isTooLong: false });
  });
});

describe('what a window is worth', () => {
  const model = {
    id: 'm',
    label: 'm',
    remoteId: 'm',
    provider: { name: 'p' },
  } as Parameters<ReturnType<typeof createWindows>['measured']>[0];

  it('follows what the model counts, at most twice or half of our estimate', () => {
    const windows = createWindows();
    expect(windows.measured(model, 16_000)).toBe(16_000);
    for (let i = 0; i < 30; i += 1) windows.noteCount(model, 1_000, 1_250);
    expect(windows.measured(model, 16_000)).toBeCloseTo(12_800, -1);
    for (let i = 0; i < 30; i += 1) windows.noteCount(model, 1_000, 90_000);
    expect(windows.measured(model, 16_000)).toBeCloseTo(8_000, -1);
    for (let i = 0; i < 30; i += 1) windows.noteCount(model, 1_000, 300);
    expect(windows.measured(model, 16_000)).toBeCloseTo(32_000, -1);
    expect(windows.measured({ ...model, remoteId: 'other' }, 16_000)).toBe(16_000);
  });

  it('ignores counts without what was cached, and those of hardly anything', () => {
    const windows = createWindows();
    windows.noteCount(model, 1_000, 11);
    windows.noteCount(model, 20, 40);
    expect(windows.measured(model, 16_000)).toBe(16_000);
  });

  it('is less than what was refused, and no more than the model says; one long message takes nothing from others', () => {
    const windows = createWindows();
    windows.noteRefusal(model, 50_000, 'Too long.');
    expect(windows.measured(model, 16_000)).toBe(16_000);
    windows.noteRefusal(model, 12_000, REFUSALS[0] ?? '');
    expect(windows.measured(model, 16_000)).toBe(8_192);
    windows.noteRefusal(model, 8_000, 'Too long.');
    expect(windows.measured(model, 16_000)).toBe(6_000);
    windows.noteRefusal(model, 500, 'The name has a limit of 1000 characters.');
    windows.noteRefusal(model, 1_200, 'Too long.');
    expect(windows.measured(model, 16_000)).toBe(1_000);
  });

  it('is what it is for the built-in model', () => {
    expect(createModels(readConfig({})).measured('gpt-4', 16_000)).toBe(16_000);
  });
});
