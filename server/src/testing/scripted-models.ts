import { readConfig } from '../config.ts';
import { combineAbilities } from '../platform/models/catalogue/abilities.ts';
import { createModels } from '../platform/models/create-models.ts';
import type { GenerateInput, ModelEvent, ModelInfo, Models } from '../platform/models/models.ts';
import { ProviderError } from '../platform/models/provider-error.ts';

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

  const models = modelsThat((input) => {
    const call = new Call(input);
    calls.push(call);
    waiting.shift()?.(call);
    return call.stream();
  });

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

const infoOf = (id: string): ModelInfo => ({ ...combineAbilities(), id, label: id });

/** A model provider in the test's own process, whose answers the test gives itself; beside them it is as the built-in one. */
export const modelsThat = (stream: Models['stream']): Models => ({
  ...createModels(readConfig({})),
  kind: 'openai-compatible',
  resolve: infoOf,
  accepted: infoOf,
  priceOf: () => null,
  stream,
  title: async ({ question }) => `About ${question}`.slice(0, 60),
});
