import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { Catalogue, Offered } from './catalogue/catalogue.ts';
import { headersOf } from './catalogue/providers.ts';
import { providerFacts } from './distil-facts.ts';
import { explainFailure } from './explain-failure.ts';
import type { Answers, GenerateInput } from './models.ts';
import { plainAnswer } from './plain-answer.ts';
import { type Patience, providerFetch } from './provider-fetch.ts';
import { sdkAnswer } from './sdk-answer.ts';
import { providerSummary } from './session-summary.ts';
import { providerTitle } from './session-title.ts';
import { type Watch, watchSilence } from './silence.ts';
import { type Speaking, streamAnswer } from './stream-answer.ts';
import { tidyStream } from './tidy-stream.ts';

/** Answers of the providers in a catalogue. */
export function providerModels(catalogue: Catalogue, timeoutMs: number): Answers {
  const patienceWith = (model: Offered, onWait?: (why: string) => void): Patience => ({
    patienceMs: timeoutMs,
    onWait,
    onNoTemperature: () => catalogue.refusesTemperature(model),
  });
  const fail = (error: unknown, { provider, remoteId }: Offered): never => {
    const explained = explainFailure(error, provider.secrets, { provider: provider.name, model: remoteId });
    if (explained.isMissing) catalogue.refreshSoon();
    throw explained;
  };
  /** A question outside the conversation; it fails like an answer. */
  const ask = async <T>(
    input: { model: string; signal: AbortSignal },
    put: (model: LanguageModel, signal: AbortSignal, asked: Offered) => Promise<T>,
  ): Promise<T> => {
    const watch = watchSilence(input.signal, timeoutMs);
    const model = catalogue.find(input.model);
    try {
      return await put(await languageModel(model, providerFetch(watch, patienceWith(model))), watch.signal, model);
    } catch (error) {
      input.signal.throwIfAborted();
      return fail(watch.signal.aborted ? watch.signal.reason : error, model);
    } finally {
      watch.stop();
    }
  };
  return {
    stream: (input) => {
      const model = catalogue.find(input.model);
      const { provider, remoteId, abilities } = model;
      const asked = { ...input, model: remoteId, temperature: abilities.temperature ? input.temperature : undefined };
      return streamAnswer((watch) => speak(model, asked, watch, patienceWith(model, input.onWait)), asked, {
        timeoutMs,
        secrets: provider.secrets,
        asked: { provider: provider.name, model: remoteId },
        onMissing: catalogue.refreshSoon,
      });
    },
    title: (input) => ask(input, (model, signal) => providerTitle(model, input, signal)),
    distil: (input) =>
      ask(input, (model, signal, { abilities }) =>
        providerFacts(model, input.sentences, { signal, takesTemperature: abilities.temperature }),
      ),
    summarise: async (input) => ({
      text: await ask(input, (model, signal) => providerSummary(model, input, signal)),
      kind: 'model',
    }),
  };
}

/** The short way where it exists, otherwise the SDK. */
async function* speak(model: Offered, input: GenerateInput, watch: Watch, patience: Patience): Speaking {
  const { provider } = model;
  const fetch = providerFetch(watch, patience);
  if (provider.type === 'openai-compatible' && (input.tools ?? []).length === 0) {
    return yield* plainAnswer({ baseURL: provider.baseURL, headers: headersOf(provider), fetch }, input, watch.signal);
  }
  return yield* sdkAnswer(await languageModel(model, fetch), input, watch);
}

/** A provider's model for the SDK; each package is loaded with its first question. */
async function languageModel({ provider, remoteId }: Offered, fetch: typeof globalThis.fetch): Promise<LanguageModel> {
  const { type, baseURL, apiKey, headers } = provider;
  const settings = { baseURL, headers, fetch, ...(apiKey === undefined ? {} : { apiKey }) };
  switch (type) {
    case 'openai-compatible':
      return createOpenAICompatible({
        ...settings,
        name: 'provider',
        includeUsage: true,
        fetch: tidied(fetch),
      }).chatModel(remoteId);
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(withKey(settings)).chat(remoteId);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(withKey(settings))(remoteId);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(withKey(settings))(remoteId);
  }
}

/** Without a key these packages look for one in the environment and refuse to go on; a gateway may need none. */
const withKey = <T extends { apiKey?: string }>(settings: T) => ({ ...settings, apiKey: settings.apiKey ?? 'none' });

const tidied =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    const isStream = response.ok && (response.headers.get('content-type') ?? '').includes('event-stream');
    if (!isStream || response.body === null) return response;
    return new Response(response.body.pipeThrough(tidyStream()), {
      status: response.status,
      headers: response.headers,
    });
  };
