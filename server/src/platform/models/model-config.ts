import type { Config } from '../../config.ts';

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
  const [, deployment] = isAzure ? url.pathname.split('/deployments/') : [];
  return {
    baseURL: url.href,
    search,
    apiKey: isAzure ? undefined : apiKey,
    headers: (isAzure && apiKey !== undefined ? { 'api-key': apiKey } : {}) as Record<string, string>,
    deployment: (deployment ?? '')
      .split('/')
      .slice(0, 1)
      .filter((name) => name !== '')
      .map(decodeURIComponent),
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
