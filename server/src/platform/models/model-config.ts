import type { Config } from '../../config.ts';

export type ModelConfig = Pick<
  Config,
  | 'EMBEDDING_MODEL'
  | 'EMBEDDING_DIMENSIONS'
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'OPENAI_MODELS'
  | 'MODELS_FILE'
  | 'MODEL_STAND_IN'
  | 'MODEL_TIMEOUT_MS'
  | 'OFFLINE_PAUSE_MS'
>;

export const OPENAI_URL = 'https://api.openai.com/v1';

/** The provider's address and what is sent with each request. fetch refuses an address with credentials, so they become a header. */
export function addressOf(config: ModelConfig) {
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
