import {
  dynamicTool,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  NoSuchToolError,
  streamText,
  type ToolSet,
} from 'ai';
import { type GenerateInput, type ModelTool, STEPS_MAX } from './models.ts';
import { ProviderError } from './provider-error.ts';
import type { Watch } from './silence.ts';
import { noSuchTool, type Speaking, type Usage } from './stream-answer.ts';

/**
 * One answer through the AI SDK, with any model and with tools. Throws whatever went wrong, for `explainFailure`.
 */
export async function* sdkAnswer(model: LanguageModel, input: GenerateInput, watch: Watch): Speaking {
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
  let steps = 0;
  /** The step of the last words; -1 before the first. */
  let spoken = -1;
  let usage: Usage | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') watch.signal.throwIfAborted();
    if (part.type === 'text-delta' && part.text !== '') {
      // Text before and after a call becomes two paragraphs.
      if (spoken >= 0 && steps > spoken) yield { type: 'delta', text: '\n\n' };
      spoken = steps;
      yield { type: 'delta', text: part.text };
    }
    if (part.type === 'tool-call' && part.invalid) {
      const { toolName: name, input: asked, error } = part;
      yield { type: 'refused', name, input: asked, sentence: refusal(name, error) };
    }
    if (part.type === 'start-step') steps += 1;
    if (part.type === 'finish') usage = part.totalUsage;
  }
  watch.signal.throwIfAborted();
  if (usage === undefined) throw new ProviderError('The provider ended the answer before it was complete.');
  return usage;
}

const refusal = (name: string, error: unknown): string =>
  NoSuchToolError.isInstance(error) ? noSuchTool(name) : 'The model sent input that is not valid JSON.';

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
