import { wordIn } from '../logged-error.ts';
import type { Answers, ModelEvent, ProviderFailure, ProviderUse, ProviderUses } from './models.ts';
import { ProviderError } from './provider-error.ts';

/** Notes that a provider answered, or how it failed. What the caller aborts says nothing about a provider. */
export function notesOf(uses: ProviderUses) {
  const note = (name: string, use: Partial<ProviderUse>) =>
    uses.set(name, { answeredAt: null, failure: null, ...uses.get(name), ...use });
  return {
    answered: (name: string) => note(name, { answeredAt: new Date() }),
    failed: (name: string, error: unknown) => {
      if (error instanceof ProviderError && error.provider !== undefined) note(name, { failure: failureOf(error) });
    },
  };
}

/** The same answers; how each went is noted. */
export function noteUses(answers: Answers, providerOf: (model: string) => string, uses: ProviderUses): Answers {
  const { answered, failed } = notesOf(uses);
  const background =
    <Input extends { model: string }, Answer>(ask: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      const name = providerOf(input.model);
      try {
        const answer = await ask(input);
        answered(name);
        return answer;
      } catch (error) {
        failed(name, error);
        throw error;
      }
    };
  return {
    async *stream(input): AsyncGenerator<ModelEvent> {
      const name = providerOf(input.model);
      try {
        for await (const event of answers.stream(input)) {
          if (event.type === 'end') answered(name);
          yield event;
        }
      } catch (error) {
        failed(name, error);
        throw error;
      }
    },
    summarise: background(answers.summarise),
    distil: background(answers.distil),
    title: background(answers.title),
  };
}

/** Its codes where they are words of a program; a connection that failed has one at its cause. */
function failureOf(error: ProviderError): ProviderFailure {
  const field = (name: string) => wordIn(Reflect.get(error, name));
  return {
    at: new Date(),
    status: error.status ?? null,
    code: field('code') ?? codeBelow(error.cause),
    type: field('type'),
  };
}

const DEPTH = 5;

function codeBelow(cause: unknown): string | null {
  for (let error = cause, depth = 0; error instanceof Error && depth < DEPTH; error = error.cause, depth += 1) {
    const code = wordIn(Reflect.get(error, 'code'));
    if (code !== null) return code;
  }
  return null;
}
