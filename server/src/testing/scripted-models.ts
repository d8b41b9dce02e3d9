import { EventEmitter, on } from 'node:events';
import { readConfig } from '../config.ts';
import { combineAbilities } from '../platform/models/catalogue/abilities.ts';
import { createModels } from '../platform/models/create-models.ts';
import type { GenerateInput, ModelEvent, ModelInfo, Models } from '../platform/models/models.ts';
import { ProviderError } from '../platform/models/provider-error.ts';

/** One answer that a test gives piece by piece; it stops when its request is aborted. */
function scriptedCall(input: GenerateInput) {
  const said = new EventEmitter<{ piece: [ModelEvent | Error]; end: [] }>();
  const pieces = on(said, 'piece', { close: ['end'] });
  const end = () => void said.emit('end');
  input.signal.addEventListener('abort', end);
  const put = (piece: ModelEvent | Error) => {
    said.emit('piece', piece);
    return call;
  };
  const call = {
    input,
    get aborted() {
      return input.signal.aborted;
    },
    /** Sends one piece of the answer. */
    say: (text: string) => put({ type: 'delta', text }),
    /** Sends one piece of its thinking. */
    think: (text: string) => put({ type: 'thought', text }),
    end,
    fail: (message: string) => void put(new ProviderError(message)),
  };
  async function* stream(): AsyncGenerator<ModelEvent> {
    input.signal.throwIfAborted();
    for await (const [piece] of pieces) {
      input.signal.throwIfAborted();
      if (piece instanceof Error) throw piece;
      yield piece;
    }
    input.signal.throwIfAborted();
    yield { type: 'end', usage: { inputTokens: 10, outputTokens: 5, estimated: false } };
  }
  return { call, stream };
}
type Call = ReturnType<typeof scriptedCall>['call'];

/** A model provider whose answers a test gives; stands in at the platform's edge. */
export function scriptedModels() {
  const calls: Call[] = [];
  const arrivals: PromiseWithResolvers<Call>[] = [];
  const arrival = (at: number) => (arrivals[at] ??= Promise.withResolvers());
  let taken = 0;
  const models = modelsThat((input) => {
    const { call, stream } = scriptedCall(input);
    arrival(calls.push(call)).resolve(call);
    return stream();
  });
  /** The next call that is made, or the latest that nobody has taken yet. */
  const next = () => arrival((taken += 1)).promise;
  return { models, calls, next };
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
