import { DEFAULT_MODELS } from '@atelier/contract/agents';
import type { Config } from '../../../config.ts';
import type { Abilities } from './abilities.ts';

export type ModelConfig = Pick<
  Config,
  | 'EMBEDDING_MODEL'
  | 'EMBEDDING_DIMENSIONS'
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'OPENAI_MODELS'
  | 'MODELS_FILE'
  | 'MODEL_PRICES'
  | 'MODEL_STAND_IN'
  | 'MODEL_TIMEOUT_MS'
  | 'OFFLINE_PAUSE_MS'
>;

export const OPENAI_URL = 'https://api.openai.com/v1';

/**
 * An address as it is asked: a pasted path of answers is left out, and a query goes along with each request. One with `api-version` is
 * Azure's, which takes the key in a header of its own, and whose deployments are one model each.
 */
export function locate(url: URL, apiKey: string | undefined) {
  const { search } = url;
  url.search = '';
  url.pathname = url.pathname.replace(/\/chat\/completions\/?$/u, '');
  const isAzure = new URLSearchParams(search).has('api-version');
  const [, path = ''] = isAzure ? url.pathname.split('/deployments/') : [];
  const [deployment = ''] = path.split('/');
  return {
    baseURL: url.href,
    search,
    apiKey: isAzure ? undefined : apiKey,
    headers: (isAzure && apiKey !== undefined ? { 'api-key': apiKey } : {}) as Record<string, string>,
    deployment: deployment === '' ? [] : [decodeURIComponent(deployment)],
  };
}

/** The provider's address and what is sent with each request. fetch refuses an address with credentials, so they become a header. */
export function addressOf(config: ModelConfig) {
  const url = new URL(config.OPENAI_BASE_URL ?? OPENAI_URL);
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const basic = user === '' && password === '' ? undefined : btoa(`${user}:${password}`);
  url.username = '';
  url.password = '';
  const { headers, ...place } = locate(url, config.OPENAI_API_KEY);
  return {
    ...place,
    host: url.host,
    headers: basic === undefined || config.OPENAI_API_KEY !== undefined ? headers : { authorization: `Basic ${basic}` },
    secrets: [config.OPENAI_API_KEY, user, password, basic].filter((s) => s !== undefined && s !== '') as string[],
  };
}

/** How to speak with a provider. */
type ProviderType = 'openai-compatible' | 'openai' | 'anthropic' | 'google';

/** A server that offers models. */
export interface Provider {
  /** Unique; `name/id` names one of its models where another provider has the same id. */
  name: string;
  /** Where it is set: by OPENAI_… variables, or in MODELS_FILE. */
  origin: 'environment' | 'file';
  type: ProviderType;
  baseURL: string;
  /** The query of its address, which goes along with each request. */
  search: string;
  /** For people. */
  host: string;
  apiKey: string | undefined;
  headers: Record<string, string>;
  /** Must never appear in a message. */
  secrets: string[];
  /** Models that the operator names, with what they say of them. */
  named: ReadonlyMap<string, Partial<Abilities>>;
  /** Only the named models are offered, whatever else the provider has. */
  onlyNamed: boolean;
  /** Offered as long as the provider has not told what it has. */
  assumed: readonly string[];
}

export const BASE_URLS: Record<Exclude<ProviderType, 'openai-compatible'>, string> = {
  openai: OPENAI_URL,
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** The provider of OPENAI_API_KEY and OPENAI_BASE_URL; undefined without them. */
export function providerOfEnvironment(config: ModelConfig): Provider | undefined {
  if (config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined) return undefined;
  const { baseURL, search, apiKey, headers, host, secrets, deployment } = addressOf(config);
  const isOpenAI = host === new URL(OPENAI_URL).host;
  const named = [...config.OPENAI_MODELS, ...deployment];
  return {
    name: host,
    origin: 'environment',
    type: 'openai-compatible',
    baseURL,
    search,
    host,
    apiKey,
    headers,
    secrets,
    named: new Map(named.map((id) => [id, {}])),
    onlyNamed: false,
    assumed: isOpenAI || named.length === 0 ? DEFAULT_MODELS : [],
  };
}

/** What is sent with a question about the provider’s models. */
export function headersOf({ type, apiKey, headers }: Provider): Record<string, string> {
  if (apiKey === undefined) return headers;
  if (type === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', ...headers };
  if (type === 'google') return { 'x-goog-api-key': apiKey, ...headers };
  return { ...headers, authorization: `Bearer ${apiKey}` };
}
