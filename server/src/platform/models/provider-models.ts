import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { Watch } from '../silence.ts';
import { type Catalogue, type CatalogueModel, findAccepted, keyOf } from './catalogue/catalogue.ts';
import { providerFacts } from './distil-facts.ts';
import { type Answers, type AskModel, excludedSentence, type GenerateInput, type SideQuestion } from './models.ts';
import { plainAnswer } from './plain-answer.ts';
import { ProviderError } from './provider-error.ts';
import { type OptionalField, type Patience, providerFetch } from './provider-fetch.ts';
import { sdkAnswer } from './sdk-answer.ts';
import { providerSummary } from './session-summary.ts';
import { providerTitle } from './session-title.ts';
import { type AnswerStream, estimatePrompt, streamAnswer } from './stream-answer.ts';
import type { ThinkingHabit } from './thoughts.ts';
import type { TokenCount } from './tokens.ts';
import type { Windows } from './windows.ts';
import { withoutForeign } from './wire/other-streams.ts';
import { asDocumented } from './wire/provider-stream.ts';

const NO_CONTEXT = { agentName: '', prompt: '', remembers: false, memories: [] };

/** Answers of the providers in a catalogue. */
export function providerModels(catalogue: Catalogue, timeoutMs: number, windows: Windows): Answers {
  const { patienceWith, habitOf } = rememberHabits(catalogue, timeoutMs);
  const optionsOf = ({ provider, remoteId }: CatalogueModel) => ({
    timeoutMs,
    secrets: provider.secrets,
    origin: { provider: provider.name, model: remoteId },
    onMissing: catalogue.refreshSoon,
  });
  /** How a question outside the conversation is put; it fails like an answer, but may have no words. */
  const asker = (input: { model: string; signal: AbortSignal; onTokens?: (tokens: TokenCount) => void }): AskModel => {
    const model = catalogue.find(input.model);
    // Where nothing stands in.
    if (catalogue.isExcluded(model.id)) throw new ProviderError(excludedSentence(model.id));
    return async (question) => {
      const { signal, onTokens = () => {} } = input;
      const request = { ...requestOf(model, question), signal, onUnfinished: onTokens };
      const speaking = (watch: Watch) => speak(model, request, watch, patienceWith(model), habitOf(model));
      let text = '';
      for await (const event of streamAnswer(speaking, request, { ...optionsOf(model), mayBeEmpty: true })) {
        if (event.type === 'delta') text += event.text;
        if (event.type === 'rethought') text = text.slice(0, text.length - event.chars);
        if (event.type === 'end') onTokens(event.usage);
      }
      return text;
    };
  };
  return {
    stream: (input) => {
      const model = findAccepted(catalogue, input.model);
      const { remoteId, abilities } = model;
      const request = { ...input, model: remoteId, temperature: abilities.temperature ? input.temperature : undefined };
      const patience = patienceWith(model, input.onWait);
      return streamAnswer((watch) => speak(model, request, watch, patience, habitOf(model)), request, {
        ...optionsOf(model),
        onCounted: (estimate, counted) => windows.noteCount(model, estimate, counted),
        onTooLong: (estimate, why) => windows.noteRefusal(model, estimate, why),
      });
    },
    title: async (input) => providerTitle(asker(input), input),
    distil: async (input) => providerFacts(asker(input), input),
    summarise: async (input) => ({ text: await providerSummary(asker(input), input), kind: 'model' }),
  };
}

/** The least that an answer outside the conversation may have, however long its question is. */
const LEAST_TOKENS = 100;

function requestOf(
  { abilities, remoteId }: CatalogueModel,
  { instructions, prompt, temperature, maxTokens, allTokens }: SideQuestion,
) {
  const question = { instructions, messages: [{ role: 'user' as const, text: prompt }] };
  const room = allTokens === undefined ? undefined : Math.max(LEAST_TOKENS, allTokens - estimatePrompt(question));
  // Thinking counts too, and nobody knows how much it takes.
  const most = abilities.reasoning ? room : (maxTokens ?? room);
  return {
    ...question,
    model: remoteId,
    context: NO_CONTEXT,
    ...(abilities.temperature && temperature !== undefined ? { temperature } : {}),
    ...(most === undefined ? {} : { maxTokens: most }),
  };
}

/** What was seen of providers and their models, so that each is asked in its way from the second time on. */
function rememberHabits(catalogue: Catalogue, patienceMs: number) {
  const refused = new Map<string, Set<OptionalField>>();
  const habits = new Map<string, ThinkingHabit>();
  return {
    patienceWith: (model: CatalogueModel, onWait?: (why: string) => void): Patience => ({
      patienceMs,
      onWait,
      search: model.provider.search,
      leaveOut: refused.get(keyOf(model)),
      onRefused: (field) => {
        if (field === 'temperature') catalogue.refusesTemperature(model);
        else refused.set(keyOf(model), new Set([...(refused.get(keyOf(model)) ?? []), field]));
      },
    }),
    habitOf: (model: CatalogueModel): ThinkingHabit => {
      const key = keyOf(model);
      const habit = habits.get(key) ?? { beginsInside: false };
      habits.set(key, habit);
      return habit;
    },
  };
}

/** The short way where it exists, otherwise the SDK. */
async function* speak(
  model: CatalogueModel,
  input: GenerateInput,
  watch: Watch,
  patience: Patience,
  habit: ThinkingHabit,
): AnswerStream {
  const { provider } = model;
  const fetch = providerFetch(watch, patience);
  if (provider.type === 'openai-compatible' && (input.tools ?? []).length === 0) {
    return yield* plainAnswer(provider, fetch, input, watch.signal, habit);
  }
  let failure: unknown;
  try {
    const answering = await languageModel(model, fetch, (error) => (failure = error));
    // Ollama ignores `tool_choice`; others refuse a conversation with calls that comes without their tools.
    return yield* sdkAnswer(answering, input, watch, habit, model.ownedBy === 'library');
  } catch (error) {
    throw failure ?? error;
  }
}

/** A provider's model for the SDK; each package is loaded with its first question. */
async function languageModel(
  { provider, remoteId }: CatalogueModel,
  fetch: typeof globalThis.fetch,
  onFailure: (error: unknown) => void,
): Promise<LanguageModel> {
  const { type, baseURL, apiKey, headers } = provider;
  const place = { baseURL, headers, ...(apiKey === undefined ? {} : { apiKey }) };
  const settings = { ...place, fetch: streamed(fetch, (body) => asDocumented(body, onFailure)) };
  const others = { ...place, fetch: streamed(fetch, (body) => withoutForeign(body, onFailure)) };
  switch (type) {
    case 'openai-compatible':
      return createOpenAICompatible({ ...settings, name: 'provider', includeUsage: true }).chatModel(remoteId);
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(withKey(settings)).chat(remoteId);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(withKey(others))(remoteId);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(withKey(others))(remoteId);
  }
}

/** Without a key these packages look for one in the environment and refuse to go on; a gateway may need none. */
const withKey = <T extends { apiKey?: string }>(settings: T) => ({ ...settings, apiKey: settings.apiKey ?? 'none' });

/** Answers whose stream is read before the SDK sees it. */
const streamed =
  (
    fetch: typeof globalThis.fetch,
    read: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
  ): typeof globalThis.fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    if (!response.ok || response.body === null) return response;
    return new Response(read(response.body), { headers: { 'content-type': 'text/event-stream' } });
  };
