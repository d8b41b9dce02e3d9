import { explainFailure } from './explain-failure.ts';
import type { GenerateInput, ModelEvent } from './models.ts';
import { ProviderError } from './provider-error.ts';
import { type Watch, watchSilence } from './silence.ts';

// Without usage from the provider, tokens are estimated as characters / 4: an exact tokenizer can be frozen by hostile text.
const CHARS_A_TOKEN = 4;

export interface AnswerOptions {
  timeoutMs: number;
  /** Must never appear in a message. */
  secrets: string[];
}

/** What the provider counted, as far as it did. */
export interface Usage {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

/** The words of one answer as they come, then its usage. */
export type Speaking = AsyncGenerator<Exclude<ModelEvent, { type: 'end' }>, Usage>;

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
  try {
    const speaking = speak(watch);
    for (;;) {
      const { done, value } = await speaking.next();
      if (done) {
        watch.signal.throwIfAborted();
        if (chars === 0) throw new ProviderError('The provider sent an empty answer.');
        yield { type: 'end', usage: countUsage(value, input, chars) };
        return;
      }
      watch.touch();
      if (value.type === 'delta') chars += value.text.length;
      yield value;
    }
  } catch (error) {
    input.signal.throwIfAborted();
    throw explainFailure(watch.signal.aborted ? watch.signal.reason : error, options.secrets);
  } finally {
    watch.stop();
  }
}

function countUsage({ inputTokens, outputTokens }: Usage, input: GenerateInput, chars: number) {
  if (inputTokens !== undefined && outputTokens !== undefined) return { inputTokens, outputTokens, estimated: false };
  const asked = input.messages.reduce((sum, message) => sum + message.text.length, input.instructions.length);
  return {
    inputTokens: inputTokens ?? Math.ceil(asked / CHARS_A_TOKEN),
    outputTokens: outputTokens ?? Math.ceil(chars / CHARS_A_TOKEN),
    estimated: true,
  };
}
