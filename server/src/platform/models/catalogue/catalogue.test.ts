import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../config.ts';
import { eventually } from '../../../testing/eventually.ts';
import { serveOllama, startFakeWire } from '../../../testing/fake-openai.ts';
import { closing } from '../../../testing/lifetimes.ts';
import { createModels } from '../create-models.ts';

const wire = await closing(startFakeWire());
beforeEach(() => wire.reset());
afterEach(() => void vi.restoreAllMocks());

async function discovered(env: Record<string, string> = {}) {
  const models = createModels(readConfig({ OPENAI_BASE_URL: `${wire.origin}/v1`, ...env }));
  await models.refresh();
  return models;
}
/** Has the provider list these models. */
const lists = (...data: object[]) => wire.on('/v1/models', { body: { object: 'list', data } });

describe('an excluded model', () => {
  it('stays excluded under each of its names while its provider does not list it', async () => {
    lists({ id: 'llama3', object: 'model' });
    const models = await discovered();
    const provider = models.providers()[0]?.name ?? '';
    models.exclude(['llama3', 'phi'].map((model) => ({ provider: 'away', model })));
    const ids = ['llama3', 'away/llama3', 'away/llama3:latest', 'phi', 'phi:latest', 'away/phi', `${provider}/llama3`];
    expect(ids.filter((id) => models.isExcluded(id))).toEqual(ids.slice(1, 6));
    expect(models.excluded()).toEqual(['away/llama3', 'phi']);
  });
});

describe('what a server tells of its models', () => {
  it('Ollama: in an interface of its own; the window is the one it runs with, not the longest possible', async () => {
    serveOllama(wire, {
      'llama3.2:latest': { capabilities: ['completion', 'tools'], context: 131_072 },
      'gemma3:4b': {
        capabilities: ['completion', 'vision'],
        context: 131_072,
        parameters: 'stop "<end>"\nnum_ctx      32768',
      },
      'qwen3:8b': { capabilities: ['completion', 'tools', 'thinking'], context: 40_960, loaded: 16_384 },
      'nomic-embed-text:latest': { capabilities: ['embedding'], context: 2_048 },
    });
    const models = await discovered();
    const plain = { tools: false, sight: false, hearing: false, reasoning: false, temperature: true };
    expect(models.list()).toEqual([
      { ...plain, id: 'llama3.2', label: 'llama3.2', tools: true, contextTokens: 4_096 },
      { ...plain, id: 'gemma3:4b', label: 'gemma3:4b', sight: true, contextTokens: 32_768 },
      { ...plain, id: 'qwen3:8b', label: 'qwen3:8b', tools: true, reasoning: true, contextTokens: 16_384 },
    ]);
    expect(models.resolve('llama3.2:latest').id).toBe('llama3.2');
    const named = await discovered({ OPENAI_MODELS: 'llama3.2' });
    expect(named.list().map(({ id, contextTokens }) => [id, contextTokens])).toEqual([
      ['llama3.2', 4_096],
      ['gemma3:4b', 32_768],
      ['qwen3:8b', 16_384],
    ]);
  });

  it('vLLM: the length that it was started with', async () => {
    lists({
      id: 'meta-llama/Llama-3.1-8B-Instruct',
      object: 'model',
      owned_by: 'vllm',
      root: 'x',
      max_model_len: 24_576,
    });
    expect((await discovered()).list()).toMatchObject([
      { id: 'meta-llama/Llama-3.1-8B-Instruct', contextTokens: 24_576, tools: true },
    ]);
  });

  it('LM Studio: which models see and use tools, and how each is loaded', async () => {
    const owner = { object: 'model', owned_by: 'organization_owner' };
    lists(
      { id: 'qwen2-vl-7b', ...owner },
      { id: 'qwen/qwen3-14b', ...owner },
      { id: 'text-embedding-nomic', ...owner },
    );
    wire.on('/api/v0/models', {
      body: {
        object: 'list',
        data: [
          {
            id: 'qwen2-vl-7b',
            type: 'vlm',
            state: 'loaded',
            max_context_length: 131_072,
            loaded_context_length: 8_192,
          },
          {
            id: 'qwen/qwen3-14b',
            type: 'llm',
            state: 'not-loaded',
            max_context_length: 32_768,
            capabilities: ['tool_use'],
          },
          { id: 'text-embedding-nomic', type: 'embeddings', state: 'not-loaded', max_context_length: 2_048 },
        ],
      },
    });
    expect((await discovered()).list()).toMatchObject([
      { id: 'qwen2-vl-7b', sight: true, contextTokens: 8_192 },
      { id: 'qwen/qwen3-14b', sight: false, tools: true, contextTokens: 32_768 },
    ]);
  });

  it('llama.cpp: the context of its one slot, and whether it sees and hears', async () => {
    lists({
      id: 'local.gguf',
      object: 'model',
      owned_by: 'llamacpp',
      meta: { n_vocab: 9, n_ctx_train: 131_072, size: 1 },
    });
    wire.on('/props', {
      body: {
        default_generation_settings: { n_ctx: 16_384, temperature: 0.8 },
        total_slots: 1,
        modalities: { vision: true, audio: true },
      },
    });
    expect((await discovered()).list()).toMatchObject([
      { id: 'local.gguf', sight: true, hearing: true, contextTokens: 16_384 },
    ]);
  });

  it('OpenRouter: windows, pictures, and which parameters a model takes', async () => {
    lists(
      {
        id: 'openai/o3',
        name: 'OpenAI: o3',
        context_length: 200_000,
        architecture: {
          modality: 'text+image->text',
          input_modalities: ['image', 'text'],
          output_modalities: ['text'],
        },
        top_provider: { context_length: 180_000, max_completion_tokens: 100_000 },
        supported_parameters: ['tools', 'reasoning', 'seed'],
      },
      {
        id: 'some/painter',
        context_length: 4_096,
        architecture: { input_modalities: ['text'], output_modalities: ['image'] },
      },
      {
        id: 'some/listener',
        context_length: 32_768,
        architecture: { input_modalities: ['text', 'audio'], output_modalities: ['text'] },
      },
    );
    expect((await discovered()).list()).toMatchObject([
      {
        id: 'openai/o3',
        label: 'openai/o3',
        tools: true,
        sight: true,
        hearing: false,
        reasoning: true,
        temperature: false,
        contextTokens: 180_000,
      },
      { id: 'some/listener', sight: false, hearing: true },
    ]);
  });

  it('OpenAI tells only names: the table knows the rest, and what does not chat is left out', async () => {
    const ids = [
      'gpt-4',
      'gpt-4o-mini',
      'gpt-5-mini',
      'gpt-audio',
      'text-embedding-3-small',
      'whisper-1',
      'dall-e-3',
      'gpt-3.5-turbo-instruct',
      'omni-moderation-latest',
    ];
    lists(...ids.map((id) => ({ id, object: 'model', owned_by: 'system' })));
    expect((await discovered()).list()).toMatchObject([
      { id: 'gpt-4', contextTokens: 8_192, sight: false, temperature: true },
      { id: 'gpt-4o-mini', contextTokens: 128_000, sight: true },
      { id: 'gpt-5-mini', contextTokens: 400_000, reasoning: true, temperature: false },
    ]);
  });

  it('Mistral says which models chat, see and use tools', async () => {
    lists(
      {
        id: 'mistral-medium-latest',
        max_context_length: 131_072,
        capabilities: { completion_chat: true, function_calling: true, vision: true },
      },
      { id: 'mistral-ocr-latest', max_context_length: 16_384, capabilities: { completion_chat: false } },
    );
    expect((await discovered()).list()).toMatchObject([
      { id: 'mistral-medium-latest', tools: true, sight: true, contextTokens: 131_072 },
    ]);
  });
});

describe('what stands in', () => {
  const only = (...ids: string[]) => lists(...ids.map((id) => ({ id, object: 'model' })));

  it('is nothing for a model that the provider has', async () => {
    only('gpt-3.5-turbo', 'gpt-4', 'gpt-4o');
    const models = await discovered();
    expect([models.resolve('gpt-4').id, models.resolve('gpt-3.5-turbo').id]).toEqual(['gpt-4', 'gpt-3.5-turbo']);
  });

  it('is the product’s default, the chosen one, the one that the operator named, or one that can use tools', async () => {
    only('gpt-4', 'big');
    expect((await discovered()).resolve('gone').id).toBe('gpt-4');
    expect((await discovered({ MODEL_STAND_IN: 'big' })).resolve('gone').id).toBe('big');
    only('gemma2', 'mistral-small', 'named');
    expect((await discovered()).resolve('gpt-4').id).toBe('mistral-small');
    expect((await discovered({ OPENAI_MODELS: 'named' })).resolve('gpt-4').id).toBe('named');
    expect((await discovered({ MODEL_STAND_IN: 'not-here' })).resolve('gpt-4').id).toBe('mistral-small');
  });
});

describe('a provider that is down', () => {
  it('has what the operator named, or the product’s two models, until it tells', async () => {
    wire.on(
      '/v1/models',
      { status: 500, body: { error: 'down' } },
      { body: { object: 'list', data: [{ id: 'late' }] } },
    );
    const models = await discovered();
    expect(models.list().map(({ id }) => id)).toEqual(['gpt-3.5-turbo', 'gpt-4']);
    await models.refresh();
    expect(models.list().map(({ id }) => id)).toEqual(['late']);
    wire.on('/v1/models', { status: 404, body: 'no list here', headers: { 'content-type': 'text/plain' } });
    expect((await discovered({ OPENAI_MODELS: 'mine' })).resolve('gpt-4').id).toBe('mine');
  });

  it('keeps what it had', async () => {
    wire.on(
      '/v1/models',
      { body: { object: 'list', data: [{ id: 'llama' }] } },
      { body: 'what?', headers: { 'content-type': 'text/html' } },
    );
    const models = await discovered();
    await models.refresh();
    expect(models.list().map(({ id }) => id)).toEqual(['llama']);
  });

  it.each([
    ['an answer that is no list', { body: { hello: 1 } }],
    [
      'a list of nonsense',
      { body: { data: [null, 3, { id: '' }, { id: { a: 1 } }, { id: 'good', context_length: 'many' }] } },
    ],
    ['text', { body: 'Welcome!', headers: { 'content-type': 'application/json' } }],
  ])('sends %s: nothing breaks', async (_name, reply) => {
    wire.on('/v1/models', reply);
    expect((await discovered({ OPENAI_MODELS: 'mine' })).list().map(({ id }) => id)).toContain('mine');
  });
});

it('a model that only talks about sounds is offered where the operator names it', async () => {
  lists({ id: 'gpt-4' }, { id: 'gpt-4o-audio-preview' });
  expect((await discovered()).list()).toMatchObject([{ id: 'gpt-4', hearing: false }]);
  const named = await discovered({ OPENAI_MODELS: 'gpt-4o-audio-preview' });
  expect(named.resolve('gpt-4o-audio-preview')).toMatchObject({ id: 'gpt-4o-audio-preview', hearing: true });
});

it('the operator’s word comes before the provider’s', async () => {
  wire.on('/v1/models', { body: { data: [{ id: 'm', context_length: 9_000 }] } });
  expect((await discovered()).resolve('m').contextTokens).toBe(9_000);
  expect(readConfig({ MODEL_CONTEXT_TOKENS: '5000' }).MODEL_CONTEXT_TOKENS).toBe(5_000);
});

it('a model that turns out to be missing has the list read again, but not at once', async () => {
  wire.on('/v1/models', { body: { data: [{ id: 'old' }] } }, { body: { data: [{ id: 'new' }] } });
  const models = await discovered();
  expect(models.resolve('new').id).toBe('old');
  expect(wire.to('/v1/models')).toHaveLength(1);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 120_000);
  expect(models.resolve('new').id).toBe('old');
  await eventually(() => expect(models.resolve('new').id).toBe('new'));
});
