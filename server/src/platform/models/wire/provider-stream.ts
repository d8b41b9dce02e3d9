import { createParser } from 'eventsource-parser';
import { isRecord, parsedJson } from '../../parsed-json.ts';
import { explainFailure } from '../explain-failure.ts';
import { brokenOff, errorTextOf, NONSENSE, ProviderError, WEB_PAGE } from '../provider-error.ts';
import { CallCollector, type WireCall } from './wire-calls.ts';

/**
 * Chat completions as servers send them, for answers with and without tools. OpenAI documents: events without a name, each with one JSON
 * object; `choices` of one item whose `delta` has `content`, `refusal` and `tool_calls` in pieces; one `finish_reason` (stop, length,
 * tool_calls, content_filter); `choices: []` beside `usage`; `[DONE]`. Servers in the field also send:
 * - events of their own (`event: ping`, empty data, words), comments, JSON in lines or as a whole, no last blank line, no `[DONE]`
 * - `choices` that is null or no list, `message` or `text` for `delta`, content in parts, numbers as text
 * - thinking as `reasoning_content`, `reasoning`, `thinking`, `reasoning_details`
 * - errors beside `choices`, inside of one, as an event, a field or a body with status 200; finish reasons that mean one
 * What is not needed is not looked at. The first end counts: what comes after it can't take an answer away.
 */
class AnswerReader {
  #pieces: Words[] = [];
  #hasPieces = false;
  #calls = new CallCollector();
  #reason: string | undefined;
  #usage: AnswerEnd['usage'] = {};
  #failure: ProviderError | undefined;
  /** What a server said beside answers: the reason, where there is no answer. */
  #aside: string | undefined;
  /** Lines that are no events. */
  readonly #lines: string[] = [];
  #isCut = false;
  readonly #parser = createParser({
    onEvent: ({ event, data }) => this.#event(event, data.trim()),
    onError: ({ type, field, value = '', line = '' }) => {
      if (type !== 'unknown-field') return;
      // llama.cpp: `error: {…}` in place of `data: {…}`.
      if (field === 'error' && !this.#isWhole) this.#fail(value);
      else this.#line(line);
    },
  });

  /** Whether the server has said that the answer is complete. */
  get hasEnded(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether it has ended well: what comes after it can't take it away. */
  get #isWhole(): boolean {
    return this.#reason !== undefined && brokenOff(this.#reason) === undefined;
  }

  /** What a piece of the stream says. */
  read(text: string): Words[] {
    this.#parser.feed(text);
    const words = this.#pieces;
    this.#pieces = [];
    return words;
  }

  /** Throws why the server has given up. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The last words and the end; throws why there is none. */
  end(): (Words | AnswerEnd)[] {
    // What broke off in the middle of an event was no event.
    this.#isCut = true;
    const words = [...this.read('\n\n'), ...this.#wholeBody()];
    this.throwIfFailed();
    const calls = this.#calls.all();
    const isNothing = !this.#hasPieces && calls.length === 0;
    const broken = this.#reason === undefined ? CUT : brokenOff(this.#reason);
    if (this.#aside !== undefined && (isNothing || broken !== undefined)) throw explainFailure(this.#aside, []);
    if (broken !== undefined) throw new ProviderError(broken);
    // Zero for what took some means that nobody counted.
    if (this.#usage.inputTokens === 0) delete this.#usage.inputTokens;
    if (this.#usage.outputTokens === 0 && !isNothing) delete this.#usage.outputTokens;
    return [...words, { reason: this.#reason ?? '', calls, usage: this.#usage }];
  }

  #event(name: string | undefined, data: string): void {
    if (this.#failure !== undefined || data === '') return;
    if (name === 'error' && !this.#isWhole) return this.#fail(data);
    if (/^"?\[?done\]?"?$/iu.test(data)) return void (this.#reason ??= 'stop');
    const isOurs = name === undefined || name === 'message';
    const value = parsedJson(data);
    for (const one of listOf(value)) if (isRecord(one)) this.#chunk(one, { isOurs });
    if (value !== undefined || !isOurs) return;
    if (!/^[[{]/u.test(data)) this.#note(data);
    else if (!this.#isCut && !this.hasEnded) this.#failure = new ProviderError(NONSENSE);
  }

  #line(line: string): void {
    const value = line.startsWith('{') ? parsedJson(line) : undefined;
    if (isRecord(value)) this.#chunk(value, { isOurs: true, isWhole: true });
    else this.#lines.push(line);
  }

  /** A body that is no stream of events. */
  #wholeBody(): Words[] {
    const text = this.#lines.join('\n').trim();
    if (text === '' || this.hasEnded) return [];
    const value = parsedJson(text);
    for (const one of listOf(value)) if (isRecord(one)) this.#chunk(one, { isOurs: true, isWhole: true });
    if (text.startsWith('<')) this.#failure ??= new ProviderError(WEB_PAGE);
    else if (value === undefined && /^[[{]/u.test(text)) this.#failure ??= new ProviderError(NONSENSE);
    else if (value === undefined) this.#note(text);
    return this.read('');
  }

  #chunk(value: Record<string, unknown>, { isOurs, isWhole = false }: { isOurs: boolean; isWhole?: boolean }): void {
    const choice = firstRecord(value.choices);
    this.#count(
      firstRecord(value.usage) ?? firstRecord(choice?.usage) ?? firstRecord(firstRecord(value.x_groq)?.usage),
    );
    const isLate = this.#isWhole;
    if (choice !== undefined) this.#choice(choice, isWhole);
    const problem = problemIn(value) ?? (choice && problemIn(choice));
    if (problem !== undefined && !isLate) return this.#fail(problem);
    if (choice === undefined && isOurs) this.#note(errorTextOf(value) ?? '');
  }

  /** Remembers a sentence; a single word such as `ping` is none. */
  #note(text: string): void {
    if (text.includes(' ')) this.#aside ??= text;
  }

  #choice(choice: Record<string, unknown>, isWhole: boolean): void {
    const { delta, message, text, finish_reason: reason } = choice;
    // Some repeat the whole message at the end.
    const content = delta ?? (this.#hasPieces ? undefined : (message ?? text));
    const words =
      typeof content === 'string' ? { text: content, thought: '' } : wordsOf(isRecord(content) ? content : {});
    if (words.text !== '' || words.thought !== '') {
      this.#hasPieces = true;
      this.#pieces.push(words);
    }
    if (isRecord(content)) this.#calls.take(content);
    const stopReason = isRecord(reason) ? (reason.type ?? reason.reason) : reason;
    // Some send a reason with every piece.
    if (typeof stopReason === 'string' && !['', 'null', 'none'].includes(stopReason.toLowerCase()))
      this.#reason ??= stopReason;
    else if (isWhole && message !== undefined) this.#reason ??= 'stop';
  }

  #fail(failure: unknown): void {
    this.#failure ??= explainFailure(
      typeof failure === 'string' ? (parsedJson(failure) ?? { error: failure }) : failure,
      [],
    );
  }

  #count(usage: Record<string, unknown> | undefined): void {
    const input = countOf(usage?.prompt_tokens) ?? countOf(usage?.input_tokens);
    const output = countOf(usage?.completion_tokens) ?? countOf(usage?.output_tokens);
    if (input !== undefined) this.#usage.inputTokens = input;
    // xAI and Gemini count thinking in the total alone.
    const beside = input ? (countOf(usage?.total_tokens) ?? 0) - input : 0;
    if (output !== undefined || beside > 0) this.#usage.outputTokens = Math.max(output ?? 0, beside);
  }
}

const CUT = 'The provider ended the answer before it was complete.';

/** What a piece of an answer says. */
interface Words {
  text: string;
  thought: string;
}

interface AnswerEnd {
  /** In the provider’s word. */
  reason: string;
  calls: WireCall[];
  usage: { inputTokens?: number; outputTokens?: number };
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const firstRecord = (value: unknown): Record<string, unknown> | undefined => listOf(value).find(isRecord);

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && count >= 0 && count <= COUNT_MAX ? Math.round(count) : undefined;
}
const COUNT_MAX = 1_000_000_000;

/** What says in an event that something failed; undefined for a field that is only there. */
function problemIn(value: Record<string, unknown>): unknown {
  const { error, detail, code = value.status_code ?? value.status, base_resp: minimax } = value;
  if (isRecord(error) && Object.values(error).some(Boolean)) return error;
  if (Array.isArray(error) ? error.length > 0 : error === true) return value;
  if (typeof error === 'string' && !['', 'none', 'null'].includes(error.trim().toLowerCase())) return value;
  if (value.object === 'error' || value.type === 'error') return value;
  if (isRecord(minimax) && Number(minimax.status_code) > 0) return { message: minimax.status_msg };
  const isFailure = !('choices' in value) && (errorTextOf(detail) !== undefined || Number(code) >= 400);
  return isFailure ? value : undefined;
}

/** Thinking: DeepSeek, llama.cpp and older vLLM; OpenRouter, Ollama and newer vLLM; others. The same may come in two of them. */
const THINKING = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking', 'reasoning_details'] as const;

function wordsOf(delta: Record<string, unknown>): Words {
  const { text, thought } = readParts(delta.content);
  const refusal = typeof delta.refusal === 'string' ? delta.refusal : '';
  const apart = THINKING.map((key) => readParts(delta[key])).find((one) => one.text + one.thought !== '');
  return { text: text + refusal, thought: (apart === undefined ? '' : apart.thought + apart.text) + thought };
}

/** Words as a text, or in parts as Mistral sends them: texts, and thinking that is a list of texts itself. */
function readParts(value: unknown, depth = 0): Words {
  const words = { text: '', thought: '' };
  for (const part of depth > 4 ? [] : listOf(value)) {
    if (typeof part === 'string' || typeof part === 'number') words.text += part;
    if (!isRecord(part)) continue;
    const { type = 'text', text, thinking, reasoning, summary, content } = part;
    const inner = readParts(thinking ?? reasoning ?? text ?? summary ?? content, depth + 1);
    if (/think|thought|reason/u.test(String(type))) words.thought += inner.thought + inner.text;
    else if (/text|refusal|summary/u.test(String(type))) {
      words.text += inner.text;
      words.thought += inner.thought;
    }
  }
  // No database can store a NUL.
  return { text: words.text.replaceAll('\0', ''), thought: words.thought.replaceAll('\0', '') };
}

/** How long an answer that has its end waits for what may come after it, such as its usage. */
const AFTER_END_MS = 1_000;

/** The words of a streamed or whole answer as they come, and last its end. Throws why there is none. */
export async function* readAnswer(body: ReadableStream<Uint8Array>): AsyncGenerator<Words | AnswerEnd> {
  const answer = new AnswerReader();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let late: NodeJS.Timeout | undefined;
  const lateness = Promise.withResolvers<{ done: true; value?: undefined }>();
  try {
    for (;;) {
      if (answer.hasEnded) late ??= setTimeout(() => lateness.resolve({ done: true }), AFTER_END_MS);
      const { done, value } = await Promise.race([reader.read(), lateness.promise]).catch((error: unknown) => {
        // A connection that breaks after the end loses nothing.
        if (answer.hasEnded) return { done: true, value: undefined } as const;
        throw error;
      });
      if (done) break;
      yield* answer.read(decoder.decode(value, { stream: true }));
      answer.throwIfFailed();
    }
    yield* answer.end();
  } finally {
    clearTimeout(late);
    await reader.cancel().catch(() => {});
  }
}

/**
 * The same answer as OpenAI would stream it, for the SDK, which understands nothing else. A failure is its last event, as a stream that
 * breaks would lose words on their way; `onFailure` gets it as it is.
 */
export function asDocumented(
  body: ReadableStream<Uint8Array>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(documentedEvents(body, onFailure)).pipeThrough(new TextEncoderStream());
}

async function* documentedEvents(
  body: ReadableStream<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<string> {
  const event = (delta: object, more: object = {}, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
  try {
    for await (const part of readAnswer(body)) {
      if ('text' in part) {
        yield event({ content: part.text, ...(part.thought === '' ? {} : { reasoning_content: part.thought }) });
        continue;
      }
      const { reason, calls, usage } = part;
      if (calls.length > 0) yield event({ tool_calls: calls.map(toDocumented) });
      const { inputTokens: prompt_tokens, outputTokens: completion_tokens } = usage;
      // The SDK takes what is missing for zero.
      const isCounted = prompt_tokens !== undefined && completion_tokens !== undefined;
      const counted = isCounted ? { usage: { prompt_tokens, completion_tokens } } : {};
      yield event({}, counted, calls.length > 0 && reason === 'stop' ? 'tool_calls' : reason);
    }
  } catch (error) {
    onFailure(error);
    yield 'data: {"error":{"message":"failed"}}\n\n';
  }
}

const toDocumented = ({ id, name, input, extra }: WireCall, index: number) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: input },
  ...(extra === undefined ? {} : { extra_content: extra }),
});
