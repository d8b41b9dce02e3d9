import { DEFAULT_MODELS } from '@atelier/contract/agents';
import type { Log } from '../log.ts';
import { silentLog } from '../log.ts';
import { loadOnce } from '../retry.ts';
import { combineAbilities } from './catalogue/abilities.ts';
import { type Catalogue, type CatalogueModel, createCatalogue, findAccepted, firstOf } from './catalogue/catalogue.ts';
import { type ModelsFile, readModelsFile } from './catalogue/models-file.ts';
import { DOLLARS, type Price } from './catalogue/prices.ts';
import {
  addressOf,
  type ModelConfig,
  OPENAI_URL,
  type Provider,
  providerOfEnvironment,
} from './catalogue/providers.ts';
import { createEmbedder, type Embedder } from './embedder.ts';
import type { Answers, ModelInfo, Models, ProviderInfo, ProviderUses } from './models.ts';
import { ProviderError } from './provider-error.ts';
import { providerFetch } from './provider-fetch.ts';
import { notesOf, noteUses } from './provider-uses.ts';
import { createWindows } from './windows.ts';

const OFFLINE_LABEL = 'Built-in offline model';
/** What exchanges name that the built-in model answered. */
const OFFLINE_ID = 'offline';
const FREE: Price = { input: 0, output: 0 };

/** What the configuration alone does not say. */
interface Surroundings {
  /** The environment, for secrets that MODELS_FILE names. */
  variables?: Readonly<Record<string, string | undefined>>;
  log?: Log;
}

/** The configured models: those of the providers, or the built-in offline one where there is none. */
export function createModels(config: ModelConfig, { variables = {}, log = silentLog }: Surroundings = {}): Models {
  const read = readModelsFile(config.MODELS_FILE, variables, log);
  const file = { ...read, prices: new Map([...read.prices, ...Object.entries(config.MODEL_PRICES)]) };
  const own = providerOfEnvironment(config);
  const providers = [...(own === undefined ? [] : [own]), ...file.providers];
  const embedder = own === undefined ? null : embedderOf(config);
  return providers.length === 0
    ? offline(config, file)
    : connected(config, { ...file, providers, standIn: config.MODEL_STAND_IN ?? file.standIn, log, embedder });
}

/** Answers whose code is loaded with the first question. */
function loadedLate(load: () => Promise<Answers>): Answers {
  const answers = loadOnce(load);
  return {
    stream: async function* (input) {
      yield* (await answers()).stream(input);
    },
    summarise: async (input) => (await answers()).summarise(input),
    distil: async (input) => (await answers()).distil(input),
    title: async (input) => (await answers()).title(input),
  };
}

function offline(config: ModelConfig, { prices, currency }: ModelsFile): Models {
  const infoOf = (id: string): ModelInfo => ({ ...combineAbilities(), id, label: id });
  return {
    ...loadedLate(async () => (await import('./offline-models.ts')).offlineModels(config)),
    kind: 'offline',
    label: OFFLINE_LABEL,
    embedder: null,
    list: () => DEFAULT_MODELS.map(infoOf),
    resolve: () => infoOf(OFFLINE_ID),
    accepted: () => infoOf(OFFLINE_ID),
    measured: (_id, tokens) => tokens,
    standIn: () => null,
    priceOf: (id) => (id === OFFLINE_ID ? FREE : (prices.get(id) ?? null)),
    currency,
    refresh: async () => {},
    providers: () => [],
    exclude: () => {},
    isExcluded: () => false,
    excluded: () => [],
    uses: new Map(),
    probe: async () => OFFLINE_LABEL,
  };
}

interface Connection extends Pick<ModelsFile, 'prices' | 'currency'> {
  providers: readonly Provider[];
  standIn: string | undefined;
  log: Log;
  embedder: Embedder | null;
}

function connected(config: ModelConfig, connection: Connection): Models {
  const { providers, standIn, log, embedder, prices, currency } = connection;
  const catalogue = createCatalogue(providers, standIn, log);
  const hosts = [...new Set(providers.map(({ host }) => host))];
  const infoOf = ({ id, label, abilities }: CatalogueModel): ModelInfo => ({ id, label, ...abilities });
  const windows = createWindows();
  const load = async () =>
    (await import('./provider-models.ts')).providerModels(catalogue, config.MODEL_TIMEOUT_MS, windows);
  const uses: ProviderUses = new Map();
  return {
    ...noteUses(loadedLate(load), (model) => findAccepted(catalogue, model).provider.name, uses),
    kind: 'openai-compatible',
    label: hosts.join(', '),
    embedder,
    list: () => catalogue.list().map(infoOf),
    resolve: (id) => infoOf(catalogue.find(id)),
    accepted: (id) => infoOf(findAccepted(catalogue, id)),
    measured: (id, tokens) => windows.measured(findAccepted(catalogue, id), tokens),
    standIn: () => catalogue.standIn()?.id ?? null,
    priceOf: (id) => {
      if (id === OFFLINE_ID) return FREE;
      // Providers tell dollars; in another currency only the operator's own figures count.
      const listed = currency === DOLLARS ? catalogue.lookUp(id)?.price : undefined;
      return prices.get(id) ?? listed ?? null;
    },
    currency,
    refresh: () => catalogue.refresh(),
    providers: () => providers.map((one) => describeProvider(catalogue, one)),
    exclude: catalogue.exclude,
    isExcluded: catalogue.isExcluded,
    excluded: catalogue.excluded,
    uses,
    probe: async (name, asks) => {
      const provider = providers.find((one) => one.name === name);
      return provider === undefined ? '' : probeProvider(catalogue, provider, asks, uses);
    },
  };
}

function describeProvider(catalogue: Catalogue, provider: Provider): ProviderInfo {
  const { name, host, origin } = provider;
  const offered = new Set(catalogue.list().map(({ id }) => id));
  const models = catalogue
    .all()
    .filter((one) => one.provider === provider)
    .map(({ id, label, remoteId }) => ({ id, label, model: remoteId, isOffered: offered.has(id) }));
  const unlisted = catalogue
    .unlisted()
    .filter((one) => one.provider === name)
    .map(({ id, model }) => ({ id, label: id, model, isOffered: false }));
  return { name, host, origin, problem: catalogue.problemOf(provider), models: [...models, ...unlisted] };
}

/** How long a probe waits for a word; a busy provider is asked again for as long. */
const PROBE_MS = 4_500;

async function probeProvider(
  catalogue: Catalogue,
  provider: Provider,
  asks: boolean,
  uses: ProviderUses,
): Promise<string> {
  await catalogue.refresh();
  const problem = catalogue.problemOf(provider);
  if (problem !== undefined) throw new ProviderError(problem);
  const offered = catalogue.list().filter((one) => one.provider === provider);
  const stands = catalogue.standIn();
  const first = stands?.provider === provider ? stands : firstOf(offered);
  const count = catalogue.all().filter((one) => one.provider === provider).length;
  const listed = count === 1 ? '1 model' : `${count} models`;
  if (!asks || first === undefined) return listed;
  const { providerModels } = await import('./provider-models.ts');
  const { answered, failed } = notesOf(uses);
  const words = providerModels(catalogue, PROBE_MS, createWindows()).stream({
    model: first.id,
    instructions: 'Answer in one word.',
    messages: [{ role: 'user', text: 'Hello' }],
    signal: AbortSignal.timeout(2 * PROBE_MS),
    context: { agentName: '', prompt: '', remembers: false, memories: [] },
  });
  try {
    // The first word is enough.
    for await (const _ of words) break;
    answered(provider.name);
  } catch (error) {
    failed(provider.name, error);
    throw new ProviderError(`${first.id}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return `${listed}; ${first.id} answers`;
}

/** People wait for the memories of an answer, and words find them too: one more try, no more. */
const EMBEDDING_PATIENCE_MS = 500;

/** OpenAI's own embedding model, shortened: it loses little and takes a third of the room. */
const OPENAI_EMBEDDING = { model: 'text-embedding-3-small', dimensions: 512 };

function embedderOf(config: ModelConfig): Embedder | null {
  const { baseURL, search, apiKey, headers, host, secrets } = addressOf(config);
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
    origin: { provider: host, model },
    model: async (watch) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const fetch = providerFetch(watch, { patienceMs: EMBEDDING_PATIENCE_MS, search });
      return createOpenAICompatible({ name: 'provider', baseURL, apiKey, headers, fetch }).embeddingModel(model);
    },
  });
}
