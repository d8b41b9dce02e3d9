import type { GenerateInput, ModelEvent, Models } from '../platform/models/models.ts';
import { ProviderError } from '../platform/models/provider-error.ts';
import { extractSummary } from '../platform/models/session-summary.ts';
import { testCatalogue } from './test-catalogue.ts';

/** A model provider whose answers a test gives piece by piece; stands in at the platform's edge. */
export function scriptedModels() {
  const calls: Call[] = [];
  const waiting: ((call: Call) => void)[] = [];
  let taken = 0;

  class Call {
    readonly input: GenerateInput;
    readonly #pieces: (ModelEvent | Error | null)[] = [];
    #wake = () => {};
    aborted = false;

    constructor(input: GenerateInput) {
      this.input = input;
      input.signal.addEventListener('abort', () => {
        this.aborted = true;
        this.#wake();
      });
    }

    /** Sends one piece of the answer. */
    say(text: string) {
      this.#put({ type: 'delta', text });
      return this;
    }
    /** Sends one piece of its thinking. */
    think(text: string) {
      this.#put({ type: 'thought', text });
      return this;
    }
    end() {
      this.#put(null);
    }
    fail(message: string) {
      this.#put(new ProviderError(message));
    }
    #put(piece: ModelEvent | Error | null) {
      this.#pieces.push(piece);
      this.#wake();
    }

    async *stream(): AsyncGenerator<ModelEvent> {
      for (;;) {
        this.input.signal.throwIfAborted();
        const piece = this.#pieces.shift();
        if (piece === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
        else if (piece instanceof Error) throw piece;
        else if (piece === null) break;
        else yield piece;
      }
      yield { type: 'end', usage: { inputTokens: 10, outputTokens: 5, estimated: false } };
    }
  }

  const models: Models = {
    kind: 'openai-compatible',
    label: 'scripted',
    embedder: null,
    ...testCatalogue,
    stream: (input) => {
      const call = new Call(input);
      calls.push(call);
      waiting.shift()?.(call);
      return call.stream();
    },
    summarise: async (input) => ({ text: extractSummary(input), kind: 'extractive' }),
    distil: async () => null,
    title: async ({ question }) => `About ${question}`.slice(0, 60),
  };

  return {
    models,
    calls,
    /** The next call that is made, or the latest that nobody has taken yet. */
    next(): Promise<Call> {
      const call = calls[taken];
      taken += 1;
      return call === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(call);
    },
  };
}
