import { explainFailure } from './explain-failure.ts';
import { type Cut, type GenerateInput, type ModelEvent, wordsOf } from './models.ts';
import { brokenOff, type ProviderAnswer, ProviderError } from './provider-error.ts';
import { type Watch, watchSilence } from './silence.ts';
import { countTokens } from './tokens.ts';

interface AnswerOptions {
  timeoutMs: number;
  /** Must never appear in a message. */
  secrets: string[];
  /** Whose answer it is, for the log. */
  asked?: Pick<ProviderAnswer, 'provider' | 'model'>;
  /** Told when the provider does not know the model. */
  onMissing?: () => void;
  /** Told how many tokens the provider counts in a prompt, beside our estimate. */
  onCounted?: (estimate: number, counted: number) => void;
  /** Told when the prompt, of so many tokens by our estimate, was too long, and the provider's sentence. */
  onTooLong?: (estimate: number, why: string) => void;
}

/** How an answer ended: why, and what the provider counted, as far as it did. */
export interface Spoken {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  /** The finish reason, in the provider's word. */
  reason: string;
}

/** The words of one answer as they come, then how it ended. */
export type Speaking = AsyncGenerator<Exclude<ModelEvent, { type: 'end' }>, Spoken>;

/** Whether a finish reason means that there was more to say, in the words of different providers. */
function cutOf(reason: string): Cut | undefined {
  if (/^(?:length|max_tokens|model_length|max_output_tokens|model_context_window_exceeded)$/iu.test(reason))
    return 'length';
  return /^(?:content[-_]?filter|safety|refusal|recitation|blocklist|prohibited_content|spii)$/iu.test(reason)
    ? 'filter'
    : undefined;
}

const UNSPOKEN: Record<Cut, string> = {
  length: 'The model reached its length limit before it answered. Ask for less, or choose a model that reads more.',
  filter: 'The provider’s content filter stopped this answer.',
};

export const noSuchTool = (name: string) =>
  `The model asked for a tool that this agent does not have: “${name.slice(0, 100)}”.`;

/**
 * Streams one answer. Ends with one `end` event; throws ProviderError for the provider's errors, and the signal's reason when the caller
 * aborted. Leaving the loop closes the connection.
 */
export async function* streamAnswer(
  speak: (watch: Watch) => Speaking,
  input: GenerateInput,
  options: AnswerOptions,
): AsyncGenerator<ModelEvent> {
  const watch = watchSilence(input.signal, options.timeoutMs);
  let words = '';
  let thought = 0;
  try {
    const speaking = speak(watch);
    for (;;) {
      const { done, value } = await speaking.next();
      if (done) {
        input.signal.throwIfAborted();
        const broken = brokenOff(value.reason);
        if (broken !== undefined) throw new ProviderError(broken);
        const cut = cutOf(value.reason);
        if (words === '') throw new ProviderError(nothingSaid(cut, thought));
        const estimate = estimatePrompt(input);
        // Tools make several prompts of one, and pictures count as each provider likes.
        if (value.inputTokens && isPlain(input)) options.onCounted?.(estimate, value.inputTokens);
        const usage = countUsage(value, estimate, countTokens(words) + Math.ceil(thought));
        yield { type: 'end', usage, ...(cut ? { cut } : {}) };
        return;
      }
      watch.touch();
      if (value.type === 'delta') words += value.text;
      if (value.type === 'thought') thought += value.text.length * THOUGHT_TOKENS;
      if (value.type === 'rethought') {
        thought += value.chars * THOUGHT_TOKENS;
        words = words.slice(0, words.length - value.chars);
      }
      yield value;
    }
  } catch (error) {
    input.signal.throwIfAborted();
    const failure = explainFailure(watch.signal.aborted ? watch.signal.reason : error, options.secrets, options.asked);
    if (failure.isMissing) options.onMissing?.();
    if (failure.isTooLong) options.onTooLong?.(estimatePrompt(input), failure.message);
    throw failure;
  } finally {
    watch.stop();
  }
}

function nothingSaid(cut: Cut | undefined, thought: number): string {
  if (cut !== undefined) return UNSPOKEN[cut];
  return thought > 0 ? 'The model thought, but gave no answer.' : 'The provider sent an empty answer.';
}

function countUsage({ inputTokens, outputTokens }: Spoken, estimate: number, answerTokens: number) {
  if (inputTokens !== undefined && outputTokens !== undefined) return { inputTokens, outputTokens, estimated: false };
  return { inputTokens: inputTokens ?? estimate, outputTokens: outputTokens ?? answerTokens, estimated: true };
}

/** Thinking is not kept here, so its tokens are a share of its length. */
const THOUGHT_TOKENS = 0.25;

const isPlain = ({ tools = [], messages }: GenerateInput): boolean =>
  tools.length === 0 && messages.every(({ pictures = [] }) => pictures.length === 0);

/** How many tokens a prompt takes, without its pictures. */
function estimatePrompt({ instructions, messages, tools = [] }: GenerateInput): number {
  const described = tools.map(({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema));
  return [instructions, ...messages.map(wordsOf), ...described].reduce((sum, text) => sum + countTokens(text), 0);
}
