import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { DEFAULT_MODEL } from '@atelier/contract/agents';
import { providerFacts } from './distil-facts.ts';
import { explainFailure } from './explain-failure.ts';
import { addressOf, type ModelConfig, modelIds } from './model-config.ts';
import type { Answers } from './models.ts';
import { plainAnswer } from './plain-answer.ts';
import { providerFetch } from './provider-fetch.ts';
import { sdkAnswer } from './sdk-answer.ts';
import { providerSummary } from './session-summary.ts';
import { providerTitle } from './session-title.ts';
import { type Watch, watchSilence } from './silence.ts';
import { streamAnswer } from './stream-answer.ts';

/** Answers of a provider with OpenAI's interface. */
export function providerModels(config: ModelConfig): Answers {
  const { baseURL, headers, secrets } = addressOf(config);
  const timeoutMs = config.MODEL_TIMEOUT_MS;
  const key = config.OPENAI_API_KEY;
  const allHeaders = key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` };
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
    stream: (input) =>
      streamAnswer(
        (watch) =>
          (input.tools ?? []).length === 0
            ? plainAnswer({ baseURL, headers: allHeaders, fetch: providerFetch(watch) }, input, watch.signal)
            : sdkAnswer(modelFor(input.model)(watch), input, watch),
        input,
        { timeoutMs, secrets },
      ),
    title: (input) => ask(input, (model, signal) => providerTitle(model, input, signal)),
    distil: (input) => ask(input, (model, signal) => providerFacts(model, input.sentences, signal)),
    summarise: async (input) => ({
      text: await ask(input, (model, signal) => providerSummary(model, input, signal)),
      kind: 'model',
    }),
  };
}
