import type { ModelConfig } from './model-config.ts';
import type { Answers, GenerateInput } from './models.ts';
import { offlineModel } from './offline/model.ts';
import { offlineTitle } from './offline/title.ts';
import { sdkAnswer } from './sdk-answer.ts';
import { extractSummary } from './session-summary.ts';
import { streamAnswer } from './stream-answer.ts';

/** The person's words alone: what came with them stands in the context as data. */
const withQuotes = (input: GenerateInput): GenerateInput => ({
  ...input,
  messages: input.messages.map(({ role, text }) => ({ role, text })),
});

/** Answers of the built-in offline model. */
export function offlineModels(config: ModelConfig): Answers {
  return {
    stream: (input) =>
      streamAnswer(
        (watch) => sdkAnswer(offlineModel(input.context, config.OFFLINE_PAUSE_MS), withQuotes(input), watch),
        input,
        {
          timeoutMs: config.MODEL_TIMEOUT_MS,
          secrets: [],
        },
      ),
    summarise: async (input) => {
      input.signal.throwIfAborted();
      return { text: extractSummary(input), kind: 'extractive' };
    },
    distil: async () => null,
    title: async ({ question, signal }) => {
      signal.throwIfAborted();
      return offlineTitle(question);
    },
  };
}
