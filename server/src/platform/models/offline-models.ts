import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { takeTurn } from '../event-loop.ts';
import type { ModelConfig } from './catalogue/providers.ts';
import type { Answers, GenerateContext, GenerateInput } from './models.ts';
import { composeReply } from './offline/reply.ts';
import { offlineTitle } from './offline/title.ts';
import { type ToolAnswer, tellAnswers } from './offline/tool-reply.ts';
import { type PlannedCall, planCalls } from './offline/tools.ts';
import { sdkAnswer } from './sdk-answer.ts';
import { extractSummary } from './session-summary.ts';
import { streamAnswer } from './stream-answer.ts';
import { countTokens } from './tokens.ts';

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
        { timeoutMs: config.MODEL_TIMEOUT_MS, secrets: [] },
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

/** A long answer is streamed within about this time. */
const TELL_WITHIN_MS = 2_000;

/**
 * The built-in offline model as an AI SDK model, made for one call: it gets the agent's knowledge as data, not prose. Its usage is an
 * estimate. `wordPauseMs` 0 sends everything at once.
 */
function offlineModel(context: GenerateContext, wordPauseMs: number): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'atelier',
    modelId: 'offline',
    supportedUrls: {},
    // `sdkAnswer` streams.
    doGenerate: () => Promise.reject(new Error('the offline model only streams')),
    doStream: async (options) => {
      await takeTurn();
      const calls = callsFor(options);
      if (calls.length > 0) return { stream: ReadableStream.from(call(calls, estimate(options, ''))) };
      const reply = replyTo(options, context);
      return { stream: ReadableStream.from(speak(reply, estimate(options, reply), wordPauseMs, options.abortSignal)) };
    },
  };
}

/** Calls come first and only once: with their answers the model replies. */
function callsFor(options: LanguageModelV4CallOptions): PlannedCall[] {
  if (options.prompt.at(-1)?.role !== 'user' || options.toolChoice?.type === 'none') return [];
  const names = (options.tools ?? []).filter((tool) => tool.type === 'function').map((tool) => tool.name);
  return planCalls(messagesOf(options).at(-1)?.text ?? '', names);
}

function replyTo(options: LanguageModelV4CallOptions, context: GenerateContext): string {
  const messages = messagesOf(options);
  const answers = answersOf(options);
  const toolReply = answers.length === 0 ? null : tellAnswers(messages.at(-1)?.text ?? '', answers);
  return toolReply ?? composeReply({ context, messages });
}

/** The conversation up to the person's last message; calls and their answers follow it. */
function messagesOf(options: LanguageModelV4CallOptions): GenerateInput['messages'] {
  const question = options.prompt.findLastIndex((message) => message.role === 'user');
  return options.prompt.slice(0, question + 1).flatMap((message) => {
    if (message.role !== 'user' && message.role !== 'assistant') return [];
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    return [{ role: message.role, text }];
  });
}

function answersOf(options: LanguageModelV4CallOptions): ToolAnswer[] {
  return options.prompt.flatMap((message) => {
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-result') return [];
      const output = 'value' in part.output ? part.output.value : null;
      const isError = part.output.type === 'error-text' || part.output.type === 'error-json';
      return [{ name: part.toolName, output: isError ? { error: String(output) } : output }];
    });
  });
}

function estimate(options: LanguageModelV4CallOptions, reply: string) {
  const promptTokens = options.prompt.reduce((sum, message) => sum + countTokens(JSON.stringify(message.content)), 0);
  return {
    inputTokens: { total: undefined, noCache: promptTokens, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: countTokens(reply), reasoning: undefined },
  };
}

type Usage = ReturnType<typeof estimate>;

function* call(calls: PlannedCall[], usage: Usage): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  for (const [i, { name, input }] of calls.entries())
    yield { type: 'tool-call', toolCallId: `call-${i + 1}`, toolName: name, input: JSON.stringify(input) };
  yield { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage };
}

async function* speak(
  reply: string,
  usage: Usage,
  wordPauseMs: number,
  signal?: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const words = reply.split(/(?<=\s)(?=\S)/);
  const pause = Math.min(wordPauseMs, TELL_WITHIN_MS / words.length);
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: '1' };
  for (const word of words) {
    signal?.throwIfAborted();
    yield { type: 'text-delta', id: '1', delta: word };
    if (pause > 0) await sleep(pause);
  }
  signal?.throwIfAborted();
  yield { type: 'text-end', id: '1' };
  yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage };
}
