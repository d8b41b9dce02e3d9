import { openAiCalls, type ResponseCreate } from '@atelier/contract/endpoints/openai';
import type { Context } from 'hono';
import { AppError } from '../../platform/errors.ts';
import { serve } from '../../serve.ts';
import type { RunsContext } from '../runs/runs.start.service.ts';
import type { Ask, SessionWish } from './ask.service.ts';
import { answerStream, answerWhole, readMessages, watchProgram } from './ask-for-program.ts';
import { toChunks, toCompletion } from './chat-completions.ts';
import { getModel, listModels } from './models.service.ts';
import { exchangeOf, toResponse, toResponseEvents } from './responses.ts';

/** OpenAI's interface: the models are the caller's agents. */
export const openAiRoutes = (deps: RunsContext, ask: Ask) =>
  serve(openAiCalls, {
    models: async ({ caller }) => listModels(deps, caller),
    model: async ({ caller, params }) => getModel(deps, caller, params.agentId),
    complete: async ({ c, caller, body: { model, messages, stream, stream_options, ...named } }) => {
      const asked = { ...readMessages(messages, 'messages'), model, session: wishOf(c, named) };
      const presence = watchProgram(deps, c);
      if (!stream) return toCompletion(caller, await answerWhole(c, deps, ask, asked, presence), model);
      const options = { model, withUsage: stream_options?.include_usage ?? false };
      return answerStream(c, deps, ask, asked, presence, async (out, answering) => {
        for await (const chunk of toChunks(caller, answering, options)) {
          await out.writeSSE({ data: JSON.stringify(chunk) });
        }
        await out.writeSSE({ data: '[DONE]' });
      });
    },
    respond: async ({ c, caller, body }) => {
      const { model, input, instructions, stream } = body;
      const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
      const session = wishOfResponse(c, body);
      const asked = { ...readMessages(items, 'input', instructions ?? ''), model, session };
      const presence = watchProgram(deps, c);
      if (!stream) return toResponse(caller, await answerWhole(c, deps, ask, asked, presence), body);
      return answerStream(c, deps, ask, asked, presence, async (out, answering) => {
        let sequence_number = 0;
        for await (const { type, ...rest } of toResponseEvents(caller, answering, body)) {
          await out.writeSSE({ event: type, data: JSON.stringify({ type, sequence_number, ...rest }) });
          sequence_number += 1;
        }
      });
    },
  });

/** The header beats the fields: programs behind a library can often set only one of them. OpenAI has renamed its field. */
const wishOf = (
  c: Context,
  { user, safety_identifier }: Pick<ResponseCreate, 'user' | 'safety_identifier'>,
): SessionWish => ({
  name: c.req.header('x-session-id') || user || safety_identifier || undefined,
});

function wishOfResponse(c: Context, body: ResponseCreate): SessionWish {
  const { previous_response_id: previous, store } = body;
  if (store !== false) return previous ? { after: exchangeOf(previous) } : wishOf(c, body);
  if (previous) throw new AppError('invalid_input', NOT_STORED, { field: 'store' });
  return { isFleeting: true };
}
const NOT_STORED =
  'An answer that is not stored can’t go on from another. Leave “store” or “previous_response_id” out.';
