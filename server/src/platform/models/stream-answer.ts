import type { Watch } from '../silence.ts';
import { explainFailure } from './explain-failure.ts';
import { type Cut, type GenerateInput, type ModelEvent, messageText } from './models.ts';
import { brokenOff, type ProviderAnswer, ProviderError } from './provider-error.ts';
import { watchProvider } from './silence.ts';
import { countTokens, type TokenCount } from './tokens.ts';

interface AnswerOptions {
  timeoutMs: number;
  /** Must never appear in a message. */
  secrets: string[];
  /** Whose answer it is, for the log. */
  origin?: Pick<ProviderAnswer, 'provider' | 'model'>;
  /** An answer without words is one. */
  mayBeEmpty?: boolean;
  /** Told when the provider does not know the model. */
  onMissing?: () => void;
  /** Told how many tokens the provider counts in a prompt, beside our estimate. */
  onCounted?: (estimate: number, counted: number) => void;
  /** Told when the prompt, of so many tokens by our estimate, was too long, and the provider's sentence. */
  onTooLong?: (estimate: number, why: string) => void;
}

/** How an answer ended: why, and what the provider counted, as far as it did. */
export interface AnswerEnding {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  /** The finish reason, in the provider's word. */
  reason: string;
}

/** One of several calls that make an answer has ended. */
type StepEnd = { type: 'step' } & Pick<AnswerEnding, 'inputTokens' | 'outputTokens'>;

/** The words of one answer as they come, then how it ended. */
export type AnswerStream = AsyncGenerator<Exclude<ModelEvent, { type: 'end' }> | StepEnd, AnswerEnding>;

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

/** The words and thoughts so far, and what the calls used that have ended. */
class StreamedParts {
  words = '';
  /** In tokens. */
  thought = 0;
  readonly #steps: StepEnd[] = [];
  /** What was written when the last of them ended. */
  #before = 0;

  note(event: Exclude<ModelEvent, { type: 'end' }> | StepEnd): void {
    if (event.type === 'delta') this.words += event.text;
    if (event.type === 'thought') this.thought += event.text.length * THOUGHT_TOKENS;
    if (event.type === 'rethought') {
      this.thought += event.chars * THOUGHT_TOKENS;
      this.words = this.words.slice(0, this.words.length - event.chars);
    }
    if (event.type !== 'step') return;
    this.#steps.push(event);
    this.#before = this.written();
  }

  written = (): number => countTokens(this.words) + Math.ceil(this.thought);

  hasBegun = (): boolean => this.words !== '' || this.thought > 0 || this.#steps.length > 0;

  /** About how many tokens an answer used until it stopped: in the calls that had ended, and in one more. */
  usedTokens(prompt: number): TokenCount {
    const read = this.#steps.reduce((sum, { inputTokens = prompt }) => sum + inputTokens, 0);
    const wrote = this.#steps.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0);
    // What earlier calls read goes along with the next one.
    const last = Math.max(prompt, this.#steps.at(-1)?.inputTokens ?? 0);
    const since = Math.max(0, this.written() - this.#before);
    return { inputTokens: read + last, outputTokens: wrote + since, estimated: true };
  }
}

/**
 * Streams one answer. Ends with one `end` event; throws ProviderError for the provider's errors, and the signal's reason when the caller
 * aborted. Leaving the loop closes the connection.
 */
export async function* streamAnswer(
  speak: (watch: Watch) => AnswerStream,
  input: GenerateInput,
  options: AnswerOptions,
): AsyncGenerator<ModelEvent> {
  const watch = watchProvider(input.signal, options.timeoutMs);
  const partial = new StreamedParts();
  let isOver = false;
  try {
    const speaking = speak(watch);
    for (;;) {
      const { done, value } = await speaking.next();
      if (done) {
        const cut = cutOf(value.reason);
        const estimate = estimatePrompt(input);
        const usage = countUsage(value, estimate, partial.written());
        const isEmpty = partial.words === '' && !options.mayBeEmpty;
        const failure = brokenOff(value.reason) ?? (isEmpty ? emptyAnswerSentence(cut, partial.thought) : undefined);
        isOver = true;
        if (input.signal.aborted || failure !== undefined) input.onUnfinished?.(usage);
        input.signal.throwIfAborted();
        if (failure !== undefined) throw new ProviderError(failure);
        // Tools make several prompts of one, and pictures count as each provider likes.
        if (value.inputTokens && isPlain(input)) options.onCounted?.(estimate, value.inputTokens);
        yield { type: 'end', usage, ...(cut ? { cut } : {}) };
        return;
      }
      watch.touch();
      partial.note(value);
      if (value.type !== 'step') yield value;
    }
  } catch (error) {
    input.signal.throwIfAborted();
    const failure = explainFailure(watch.signal.aborted ? watch.signal.reason : error, options.secrets, options.origin);
    if (failure.isMissing) options.onMissing?.();
    if (failure.isTooLong) options.onTooLong?.(estimatePrompt(input), failure.message);
    throw failure;
  } finally {
    // A call that a provider refused costs nothing; one that was stopped may, by somebody or by its silence.
    const isRead = partial.hasBegun() || (watch.signal.aborted && watch.isAsked);
    watch.stop();
    if (!isOver && isRead) input.onUnfinished?.(partial.usedTokens(estimatePrompt(input)));
  }
}

function emptyAnswerSentence(cut: Cut | undefined, thought: number): string {
  if (cut !== undefined) return UNSPOKEN[cut];
  return thought > 0 ? 'The model thought, but gave no answer.' : 'The provider sent an empty answer.';
}

/** What a call took, by the provider's count as far as there is one. */
function countUsage({ inputTokens, outputTokens }: AnswerEnding, estimate: number, answerTokens: number): TokenCount {
  if (inputTokens !== undefined && outputTokens !== undefined) return { inputTokens, outputTokens, estimated: false };
  return { inputTokens: inputTokens ?? estimate, outputTokens: outputTokens ?? answerTokens, estimated: true };
}

/** Thinking is not kept here, so its tokens are a share of its length. */
const THOUGHT_TOKENS = 0.25;

const isPlain = ({ tools = [], messages }: GenerateInput): boolean =>
  tools.length === 0 && messages.every(({ pictures = [] }) => pictures.length === 0);

/** How many tokens a prompt takes, without its pictures. */
export function estimatePrompt({
  instructions,
  messages,
  tools = [],
}: Pick<GenerateInput, 'instructions' | 'messages' | 'tools'>): number {
  const described = tools.map(({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema));
  return [instructions, ...messages.map(messageText), ...described].reduce((sum, text) => sum + countTokens(text), 0);
}
