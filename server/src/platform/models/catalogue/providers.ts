import { DEFAULT_MODELS } from '@atelier/contract/agents';
import type { ModelConfig } from '../model-config.ts';
import { addressOf, OPENAI_URL } from '../model-config.ts';
import type { Abilities } from './abilities.ts';

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
