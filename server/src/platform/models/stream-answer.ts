import {
  dynamicTool,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  NoSuchToolError,
  streamText,
  type ToolSet,
} from 'ai';
import { type GenerateInput, type ModelEvent, type ModelTool, STEPS_MAX } from './models.ts';
import { explainFailure, ProviderError } from './provider-error.ts';
import { type Watch, watchSilence } from './silence.ts';

// Without usage from the provider, tokens are estimated as characters / 4: an exact tokenizer can be frozen by hostile text.
const CHARS_A_TOKEN = 4;

export interface AnswerOptions {
  timeoutMs: number;
  /** Must never appear in a message. */
  secrets: string[];
}

/**
 * Streams one answer through the AI SDK, with any model. Ends with one `end` event; throws ProviderError for the provider's errors, and the
 * signal's reason when the caller aborted. Leaving the loop closes the connection.
 */
export async function* streamAnswer(
  modelFor: (watch: Watch) => LanguageModel,
  input: GenerateInput,
  options: AnswerOptions,
): AsyncGenerator<ModelEvent> {
  const watch = watchSilence(input.signal, options.timeoutMs);
  try {
    yield* parts(modelFor(watch), input, watch);
  } catch (error) {
    input.signal.throwIfAborted();
    throw explainFailure(watch.signal.aborted ? watch.signal.reason : error, options.secrets);
  } finally {
    watch.stop();
  }
}

async function* parts(model: LanguageModel, input: GenerateInput, watch: Watch): AsyncGenerator<ModelEvent> {
  watch.signal.throwIfAborted();
  const { stream } = streamText({
    model,
    instructions: input.instructions,
    messages: input.messages.map(({ role, text }) => ({ role, content: text })),
    temperature: input.temperature,
    abortSignal: watch.signal,
    maxRetries: 0,
    ...toolSettings(input.tools ?? [], watch),
    // Errors arrive as parts; without this the SDK prints them.
    onError: () => {},
  });
  let chars = 0;
  let steps = 0;
  let spoken = 0;
  let usage: { inputTokens?: number; outputTokens?: number } | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') watch.signal.throwIfAborted();
    if (part.type === 'text-delta' && part.text !== '') {
      watch.touch();
      // Text before and after a call becomes two paragraphs.
      if (steps > spoken && chars > 0) yield { type: 'delta', text: '\n\n' };
      spoken = steps;
      chars += part.text.length;
      yield { type: 'delta', text: part.text };
    }
    if (part.type === 'tool-call' && part.invalid) {
      watch.touch();
      const { toolName: name, input: asked, error } = part;
      yield { type: 'refused', name, input: asked, sentence: refusal(name, error) };
    }
    if (part.type === 'start-step') steps += 1;
    if (part.type === 'finish') usage = part.totalUsage;
  }
  watch.signal.throwIfAborted();
  if (usage === undefined) throw new ProviderError('The provider ended the answer before it was complete.');
  if (chars === 0) throw new ProviderError('The provider sent an empty answer.');
  yield { type: 'end', usage: countUsage(usage, input, chars) };
}

const refusal = (name: string, error: unknown): string =>
  NoSuchToolError.isInstance(error)
    ? `The model asked for a tool that this agent does not have: “${name.slice(0, 100)}”.`
    : 'The model sent input that is not valid JSON.';

/** The tools for the SDK; while one works, the provider's silence doesn't count. The last step has none. */
function toolSettings(tools: ModelTool[], watch: Watch) {
  if (tools.length === 0) return {};
  const set: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema, execute }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: async (args) => {
          const release = watch.hold();
          try {
            return await execute(args);
          } finally {
            release();
          }
        },
      }),
    ]),
  );
  return {
    tools: set,
    stopWhen: isStepCount(STEPS_MAX),
    prepareStep: ({ stepNumber }: { stepNumber: number }) =>
      stepNumber >= STEPS_MAX - 1 ? { toolChoice: 'none' as const } : {},
  };
}

function countUsage(told: { inputTokens?: number; outputTokens?: number }, input: GenerateInput, chars: number) {
  const { inputTokens, outputTokens } = told;
  if (inputTokens !== undefined && outputTokens !== undefined) return { inputTokens, outputTokens, estimated: false };
  const asked = input.messages.reduce((sum, message) => sum + message.text.length, input.instructions.length);
  return {
    inputTokens: inputTokens ?? Math.ceil(asked / CHARS_A_TOKEN),
    outputTokens: outputTokens ?? Math.ceil(chars / CHARS_A_TOKEN),
    estimated: true,
  };
}
