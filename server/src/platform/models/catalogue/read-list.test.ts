import { describe, expect, it } from 'vitest';
import { readModelList } from './read-list.ts';

describe('which of a list chat', () => {
  const offered = (body: unknown) => readModelList(body)?.map(({ id }) => id);

  it.each([
    ['a list of texts', ['one', 'two']],
    ['texts as data', { data: ['one', 'two'] }],
    ['texts as models, beside empty data', { data: null, models: ['one', 'two'] }],
    ['names as models', { models: [{ model: 'one', name: null }, { name: 'two' }] }],
  ])('%s is a list of models', (_name, body) => {
    expect(offered(body)).toEqual(['one', 'two']);
  });

  it.each([
    [
      'the Responses interface alone',
      'o1-pro',
      'o3-pro',
      'gpt-5-pro',
      'gpt-5.1-codex-max',
      'codex-mini-latest',
      'o4-mini-deep-research',
      'computer-use-preview',
    ],
    [
      'vectors',
      'text-embedding-3-small',
      'bge-m3',
      'intfloat/e5-large-v2',
      'BAAI/bge-reranker-v2',
      'thenlper/gte-large',
    ],
    ['guards', 'meta-llama/Llama-Guard-4-12B', 'llama-prompt-guard-2-86m', 'shieldgemma:2b', 'omni-moderation-latest'],
    ['pictures', 'gpt-image-1', 'black-forest-labs/FLUX.1-dev', 'stable-diffusion-xl', 'imagen-4'],
    ['speech', 'whisper-large-v3', 'gpt-4o-mini-tts', 'canopylabs/orpheus-v1-english', 'hexgrad/Kokoro-82M'],
  ])('%s: not those whose names say it', (_name, ...ids) => {
    expect(offered({ data: [...ids, 'openai/gpt-5-pro', 'gemini-2.5-pro'].map((id) => ({ id })) })).toEqual([
      'openai/gpt-5-pro',
      'gemini-2.5-pro',
    ]);
  });

  it.each([
    { active: false },
    { enabled: false },
    { type: 'embedding' },
    { type: 'image' },
    { mode: 'image_generation' },
    { mode: 'responses' },
    { task: { name: 'Text Embeddings' } },
    { task: 'automatic-speech-recognition' },
    { supported_endpoints: ['/responses'] },
    { endpoints: ['embed', 'classify'] },
    { capabilities: { chat_completion: false, vision: 'no' } },
    { architecture: { output_modalities: ['image'] } },
  ])('not one that says %j', (said) => {
    expect(offered({ data: [{ id: 'it', ...said }, { id: 'other' }] })).toEqual(['other']);
  });

  it.each([
    { active: true, type: 'chat' },
    { active: 'no', enabled: null, type: 7, capabilities: 'all', pricing: 'free', context_length: '8192' },
    { task: 'image-text-to-text', mode: 'chat' },
    { supported_endpoints: ['/chat/completions', '/responses'] },
    { endpoints: [], capabilities: { completion_chat: null, vision: 1 } },
  ])('but one that says %j', (said) => {
    expect(offered({ data: [{ id: 'it', ...said }] })).toEqual(['it']);
  });

  it.each([null, 7, 'one', {}, { data: {} }, { error: 'x' }])('%j is no list', (body) => {
    expect(offered(body)).toBeUndefined();
  });

  it('answers ten million bytes with what can be read of them', () => {
    const many = Array.from({ length: 400_000 }, (_, at) => (at % 2 === 0 ? { id: { at } } : at));
    expect(offered({ data: [...many, { id: 'it' }, 'x'.repeat(10_000_000)] })).toEqual(['it']);
  });
});
