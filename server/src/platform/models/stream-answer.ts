import { explainFailure } from './explain-failure.ts';
import { wordsOf } from './message-words.ts';
import type { Cut, GenerateInput, ModelEvent } from './models.ts';
import { brokenOff, type ProviderAnswer, ProviderError } from './provider-error.ts';
import { type Watch, watchSilence } from './silence.ts';

// Without usage from the provider, tokens are estimated as characters / 4: an exact tokenizer can be frozen by hostile text.
const CHARS_A_TOKEN = 4;

export interface AnswerOptions {
  timeoutMs: number;
  /** Must never appear in a message. */
  secrets: string[];
  /** Whose answer it is, for the log. */
  asked?: Pick<ProviderAnswer, 'provider' | 'model'>;
  /** Told when the provider does not know the model. */
  onMissing?: () => void;
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
  let chars = 0;
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
        if (chars === 0) throw new ProviderError(nothingSaid(cut, thought));
        yield { type: 'end', usage: countUsage(value, input, chars + thought), ...(cut ? { cut } : {}) };
        return;
      }
      watch.touch();
      if (value.type === 'delta') chars += value.text.length;
      if (value.type === 'thought') thought += value.text.length;
      if (value.type === 'rethought') {
        chars -= value.chars;
        thought += value.chars;
      }
      yield value;
    }
  } catch (error) {
    input.signal.throwIfAborted();
    const failure = explainFailure(watch.signal.aborted ? watch.signal.reason : error, options.secrets, options.asked);
    if (failure.isMissing) options.onMissing?.();
    throw failure;
  } finally {
    watch.stop();
  }
}

function nothingSaid(cut: Cut | undefined, thought: number): string {
  if (cut !== undefined) return UNSPOKEN[cut];
  return thought > 0 ? 'The model thought, but gave no answer.' : 'The provider sent an empty answer.';
}

function countUsage({ inputTokens, outputTokens }: Spoken, input: GenerateInput, chars: number) {
  if (inputTokens !== undefined && outputTokens !== undefined) return { inputTokens, outputTokens, estimated: false };
  const asked = input.messages.reduce((sum, message) => sum + wordsOf(message).length, input.instructions.length);
  return {
    inputTokens: inputTokens ?? Math.ceil(asked / CHARS_A_TOKEN),
    outputTokens: outputTokens ?? Math.ceil(chars / CHARS_A_TOKEN),
    estimated: true,
  };
}
