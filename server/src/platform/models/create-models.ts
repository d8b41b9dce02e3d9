import { createEmbedder, type Embedder } from './embedder.ts';
import { addressOf, type ModelConfig, modelIds, OPENAI_URL } from './model-config.ts';
import type { Answers, Models } from './models.ts';
import { providerFetch } from './provider-fetch.ts';

const OFFLINE_LABEL = 'Built-in offline model';

/** The configured models: a provider's if a key or an address is set, otherwise the offline one. */
export function createModels(config: ModelConfig): Models {
  const isOffline = config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined;
  // The AI SDK is loaded with the first question.
  let loaded: Promise<Answers> | undefined;
  const answers = () => (loaded ??= isOffline ? loadOffline(config) : loadProvider(config));
  return {
    kind: isOffline ? 'offline' : 'openai-compatible',
    label: isOffline ? OFFLINE_LABEL : addressOf(config).host,
    embedder: isOffline ? null : embedderOf(config),
    list: () => modelIds(config).map((id) => ({ id, label: id })),
    stream: async function* (input) {
      yield* (await answers()).stream(input);
    },
    summarise: async (input) => (await answers()).summarise(input),
    distil: async (input) => (await answers()).distil(input),
    title: async (input) => (await answers()).title(input),
  };
}

const loadOffline = async (config: ModelConfig) => (await import('./offline-models.ts')).offlineModels(config);
const loadProvider = async (config: ModelConfig) => (await import('./provider-models.ts')).providerModels(config);

/** OpenAI's own embedding model, shortened: it loses little and takes a third of the room. */
const OPENAI_EMBEDDING = { model: 'text-embedding-3-small', dimensions: 512 };

function embedderOf(config: ModelConfig): Embedder | null {
  const { baseURL, headers, secrets } = addressOf(config);
  const isOpenAI = config.OPENAI_BASE_URL === undefined || new URL(baseURL).host === new URL(OPENAI_URL).host;
  const model = config.EMBEDDING_MODEL ?? (isOpenAI ? OPENAI_EMBEDDING.model : undefined);
  if (model === undefined) return null;
  const dimensions =
    config.EMBEDDING_DIMENSIONS ?? (model === OPENAI_EMBEDDING.model ? OPENAI_EMBEDDING.dimensions : undefined);
  return createEmbedder({
    space: dimensions === undefined ? model : `${model}/${dimensions}`,
    dimensions,
    timeoutMs: config.MODEL_TIMEOUT_MS,
    secrets,
    model: async (watch) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const fetch = providerFetch(watch);
      return createOpenAICompatible({
        name: 'provider',
        baseURL,
        apiKey: config.OPENAI_API_KEY,
        headers,
        fetch,
      }).embeddingModel(model);
    },
  });
}
