import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { DEFAULT_MODEL, DEFAULT_MODELS } from '@atelier/contract/agents';
import type { Config } from '../../config.ts';
import { createEmbedder, type Embedder } from './embedder.ts';
import type { Models } from './models.ts';
import { offlineModel } from './offline/model.ts';
import { offlineTitle } from './offline/title.ts';
import { explainFailure } from './provider-error.ts';
import { providerFetch } from './provider-fetch.ts';
import { extractSummary, providerSummary } from './session-summary.ts';
import { providerTitle } from './session-title.ts';
import { type Watch, watchSilence } from './silence.ts';
import { streamAnswer } from './stream-answer.ts';

type ModelConfig = Pick<
  Config,
  | 'EMBEDDING_MODEL'
  | 'EMBEDDING_DIMENSIONS'
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'OPENAI_MODELS'
  | 'MODEL_TIMEOUT_MS'
  | 'OFFLINE_PAUSE_MS'
>;

const OFFLINE_LABEL = 'Built-in offline model';
const OPENAI_URL = 'https://api.openai.com/v1';
/** The configured models: a provider's if a key or an address is set, otherwise the offline one. */
export function createModels(config: ModelConfig): Models {
  return config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined
    ? offlineModels(config)
    : providerModels(config);
}

const modelIds = (config: ModelConfig) => [...new Set([...DEFAULT_MODELS, ...config.OPENAI_MODELS])];

function offlineModels(config: ModelConfig): Models {
  return {
    kind: 'offline',
    label: OFFLINE_LABEL,
    embedder: null,
    list: () => modelIds(config).map((id) => ({ id, label: id })),
    stream: (input) =>
      streamAnswer(() => offlineModel(input.context, config.OFFLINE_PAUSE_MS), input, {
        timeoutMs: config.MODEL_TIMEOUT_MS,
        secrets: [],
      }),
    summarise: async (input) => {
      input.signal.throwIfAborted();
      return { text: extractSummary(input), kind: 'extractive' };
    },
    title: async ({ question, signal }) => {
      signal.throwIfAborted();
      return offlineTitle(question);
    },
  };
}

function providerModels(config: ModelConfig): Models {
  const { baseURL, host, headers, secrets } = addressOf(config);
  const timeoutMs = config.MODEL_TIMEOUT_MS;
  const modelFor = (id: string) => (watch: Watch) =>
    createOpenAICompatible({
      name: 'provider',
      baseURL,
      apiKey: config.OPENAI_API_KEY,
      headers,
      includeUsage: true,
      fetch: providerFetch(watch),
    }).chatModel(id);
  /** A question outside the conversation; it fails like an answer. */
  const ask = async <T>(
    input: { model: string; signal: AbortSignal },
    put: (model: ReturnType<ReturnType<typeof modelFor>>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const watch = watchSilence(input.signal, timeoutMs);
    // A provider may have been connected since the offline model answered the task.
    const id = modelIds(config).includes(input.model) ? input.model : DEFAULT_MODEL;
    try {
      return await put(modelFor(id)(watch), watch.signal);
    } catch (error) {
      input.signal.throwIfAborted();
      throw explainFailure(watch.signal.aborted ? watch.signal.reason : error, secrets);
    } finally {
      watch.stop();
    }
  };
  return {
    kind: 'openai-compatible',
    label: host,
    embedder: embedderOf(config),
    list: () => modelIds(config).map((id) => ({ id, label: id })),
    stream: (input) => streamAnswer(modelFor(input.model), input, { timeoutMs, secrets }),
    title: (input) => ask(input, (model, signal) => providerTitle(model, input, signal)),
    summarise: async (input) => ({
      text: await ask(input, (model, signal) => providerSummary(model, input, signal)),
      kind: 'model',
    }),
  };
}

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
    model: (watch) =>
      createOpenAICompatible({
        name: 'provider',
        baseURL,
        apiKey: config.OPENAI_API_KEY,
        headers,
        fetch: providerFetch(watch),
      }).embeddingModel(model),
  });
}

/** fetch refuses an address with credentials, so they are sent as a header. */
function addressOf(config: ModelConfig) {
  const url = new URL(config.OPENAI_BASE_URL ?? OPENAI_URL);
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const basic = user === '' && password === '' ? undefined : btoa(`${user}:${password}`);
  url.username = '';
  url.password = '';
  return {
    baseURL: url.href,
    host: url.host,
    headers: (basic === undefined || config.OPENAI_API_KEY !== undefined
      ? {}
      : { authorization: `Basic ${basic}` }) as Record<string, string>,
    secrets: [config.OPENAI_API_KEY, user, password, basic].filter((s) => s !== undefined && s !== '') as string[],
  };
}
