import pLimit from 'p-limit';
import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import { providerFetch } from '../provider-fetch.ts';
import { watchProvider } from '../silence.ts';
import type { Abilities } from './abilities.ts';
import { headersOf, type Provider } from './providers.ts';
import { type ProviderModel, readModelList, without } from './read-list.ts';

/** A list is asked for while people may wait for it. */
const LIST_MS = 5_000;

/** What a provider says it has. Throws when it can’t be asked, or answers with something else. */
export async function askForModels(provider: Provider): Promise<readonly ProviderModel[]> {
  const watch = watchProvider(AbortSignal.timeout(LIST_MS), LIST_MS);
  const ask = async (url: string, init: RequestInit = {}): Promise<Response> =>
    providerFetch(watch, { patienceMs: 0, search: provider.search })(url, {
      ...init,
      headers: { ...headersOf(provider), ...init.headers },
      signal: watch.signal,
    });
  try {
    const response = await ask(`${provider.baseURL.replace(/\/$/u, '')}/models${PAGE[provider.type]}`);
    // The AI SDK, which it needs, is loaded only for a failure.
    if (!response.ok) throw await (await import('../plain-answer.ts')).refused(response);
    const models = readModelList(await response.json());
    if (models === null) throw new ProviderError('The provider’s list of models can’t be read.');
    if (provider.type !== 'openai-compatible') return models;
    const root = provider.baseURL.replace(/(?:\/v1)?\/?$/u, '');
    return await askLocalServer(models, async (path, body) => {
      const answer = await ask(
        `${root}${path}`,
        body === undefined
          ? {}
          : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
      ).catch(() => undefined);
      return answer?.ok ? answer.json().catch(() => undefined) : undefined;
    });
  } finally {
    watch.stop();
  }
}

/** A list comes in pages; this much is one page. */
const PAGE: Record<Provider['type'], string> = {
  'openai-compatible': '',
  openai: '',
  anthropic: '?limit=1000',
  google: '?pageSize=1000',
};

/** Asks a path of the provider's own interface, beside `/v1`; undefined for anything but JSON. */
type AskNative = (path: string, body?: object) => Promise<unknown>;

/** Ollama’s window where neither the model nor the server’s settings name one; what goes beyond is dropped without a word. */
const OLLAMA_TOKENS = 4_096;
const AT_ONCE = 4;
const MODELS_MAX = 100;

/** What servers on one’s own machine tell of their models only in an interface of their own. */
async function askLocalServer(models: readonly ProviderModel[], ask: AskNative): Promise<readonly ProviderModel[]> {
  const owner = models[0]?.ownedBy;
  if (owner === 'library') return askOllama(models, ask);
  if (owner === 'llamacpp') return askLlamaCpp(models, ask);
  if (owner === 'organization_owner') return askLmStudio(models, ask);
  return models;
}

const shown = z.object({
  capabilities: z.array(z.string()).optional(),
  parameters: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});
const loaded = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().int().positive().optional() })),
});

async function askOllama(models: readonly ProviderModel[], ask: AskNative): Promise<ProviderModel[]> {
  const running = loaded.safeParse(await ask('/api/ps'));
  const windows = new Map(running.success ? running.data.models.map((m) => [m.name, m.context_length]) : []);
  const limit = pLimit(AT_ONCE);
  const answers = await Promise.all(
    models
      .slice(0, MODELS_MAX)
      .map((model) =>
        limit(async () => ({ model, details: shown.safeParse(await ask('/api/show', { model: model.id })) })),
      ),
  );
  return answers.flatMap(({ model, details }) => {
    if (!details.success) return [model];
    const { capabilities: can, parameters, model_info: info } = details.data;
    if (can !== undefined && can.length > 0 && !can.includes('completion')) return [];
    const longest = Object.entries(info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1];
    const most = typeof longest === 'number' && longest > 0 ? longest : Number.POSITIVE_INFINITY;
    return [
      {
        ...model,
        reported: without({
          ...canDo(can),
          contextTokens: windows.get(model.id) ?? Math.min(most, windowParameter(parameters) ?? OLLAMA_TOKENS),
        }),
      },
    ];
  });
}

const canDo = (can: readonly string[] | undefined): Partial<Abilities> =>
  can === undefined
    ? {}
    : {
        tools: can.includes('tools'),
        sight: can.includes('vision'),
        hearing: can.includes('audio'),
        reasoning: can.includes('thinking'),
      };

/** `num_ctx` of a Modelfile: its parameters come as lines of name and value. */
function windowParameter(parameters: string | undefined): number | undefined {
  const line = (parameters ?? '').split('\n').find((one) => one.startsWith('num_ctx'));
  const value = Number(line?.slice('num_ctx'.length).trim());
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

const props = z.object({
  default_generation_settings: z.object({ n_ctx: z.number().int().positive().optional() }).optional(),
  modalities: z.object({ vision: z.boolean().optional(), audio: z.boolean().optional() }).optional(),
});

async function askLlamaCpp(models: readonly ProviderModel[], ask: AskNative): Promise<ProviderModel[]> {
  const read = props.safeParse(await ask('/props'));
  if (!read.success) return [...models];
  const { default_generation_settings: settings, modalities } = read.data;
  const abilities = without({ contextTokens: settings?.n_ctx, sight: modalities?.vision, hearing: modalities?.audio });
  // It runs one model; a router of several has its figures in the list.
  return models.length === 1
    ? models.map((model) => ({ ...model, reported: { ...model.reported, ...abilities } }))
    : [...models];
}

async function askLmStudio(models: readonly ProviderModel[], ask: AskNative): Promise<ProviderModel[]> {
  const entries = readModelList(await ask('/api/v0/models'));
  if (entries === null) return [...models];
  const reportedById = new Map(entries.map(({ id, reported }) => [id, reported]));
  return models.flatMap((model) => {
    const abilities = reportedById.get(model.id);
    return abilities === undefined ? [] : [{ ...model, reported: { ...model.reported, ...abilities } }];
  });
}
