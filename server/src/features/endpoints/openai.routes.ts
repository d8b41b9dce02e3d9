import { chatCompletionCreate, responseCreate } from '@atelier/contract/programs/openai';
import { type Context, Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import { validate } from '../../platform/http/validate.ts';
import type { RunsContext } from '../runs/runs.start.service.ts';
import type { Ask } from './ask.service.ts';
import { answerWhole } from './ask-for-program.ts';
import { toChunks, toCompletion } from './chat-completions.ts';
import type { SessionWish } from './choose-session.service.ts';
import { getModel, listModels } from './models.service.ts';
import { watchProgram } from './present-program.ts';
import { readMessages } from './read-messages.ts';
import { exchangeOf, toResponse, toResponseEvents } from './responses.ts';
import { answerStream } from './stream-answer.ts';

/** OpenAI's interface, mounted at /v1: the models are the caller's agents. */
export function openAiRoutes(deps: RunsContext, ask: Ask) {
  return new Hono<AppEnv>()
    .get('/models', requires('pro', 'reads', 'read'), async (c) => c.json(await listModels(deps, c.get('caller'))))
    .get('/models/:agentId', requires('pro', 'reads', 'read'), async (c) =>
      c.json(await getModel(deps, c.get('caller'), c.req.param('agentId'))),
    )
    .post(
      '/chat/completions',
      requires('pro', 'messages', 'talk'),
      validate('json', chatCompletionCreate),
      async (c) => {
        const { model, messages, stream, stream_options, user } = c.req.valid('json');
        const caller = c.get('caller');
        const asked = { ...readMessages(messages, 'messages'), model, session: wishOf(c, user) };
        const presence = watchProgram(deps, c);
        if (!stream) {
          return c.json(toCompletion(caller, await answerWhole(c, deps, ask, asked, presence), model));
        }
        const options = { model, withUsage: stream_options?.include_usage ?? false };
        return answerStream(c, deps, ask, asked, presence, async (out, answering) => {
          for await (const chunk of toChunks(caller, answering, options)) {
            await out.writeSSE({ data: JSON.stringify(chunk) });
          }
          await out.writeSSE({ data: '[DONE]' });
        });
      },
    )
    .post('/responses', requires('pro', 'messages', 'talk'), validate('json', responseCreate), async (c) => {
      const body = c.req.valid('json');
      const { model, input, instructions, previous_response_id: previous, stream, user } = body;
      const caller = c.get('caller');
      const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
      const session = previous ? { after: exchangeOf(previous) } : wishOf(c, user);
      const asked = { ...readMessages(items, 'input', instructions ?? ''), model, session };
      const presence = watchProgram(deps, c);
      if (!stream) return c.json(toResponse(caller, await answerWhole(c, deps, ask, asked, presence), body));
      return answerStream(c, deps, ask, asked, presence, async (out, answering) => {
        let sequence_number = 0;
        for await (const { type, ...rest } of toResponseEvents(caller, answering, body)) {
          await out.writeSSE({ event: type, data: JSON.stringify({ type, sequence_number, ...rest }) });
          sequence_number += 1;
        }
      });
    });
}

/** The header beats the field: programs behind a library can often set only one of them. */
const wishOf = (c: Context<AppEnv>, user: string | null | undefined): SessionWish => ({
  name: c.req.header('x-session-id') || user || undefined,
});
