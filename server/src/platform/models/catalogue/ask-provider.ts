import { ProviderError } from '../provider-error.ts';
import { providerFetch } from '../provider-fetch.ts';
import { watchSilence } from '../silence.ts';
import { askLocalServer } from './local-servers.ts';
import { headersOf, type Provider } from './providers.ts';
import { type Listed, readModelList } from './read-list.ts';

/** A list is asked for while people may wait for it. */
const LIST_MS = 5_000;

/** What a provider says it has. Throws when it can’t be asked, or answers with something else. */
export async function askForModels(provider: Provider): Promise<readonly Listed[]> {
  const watch = watchSilence(AbortSignal.timeout(LIST_MS), LIST_MS);
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
