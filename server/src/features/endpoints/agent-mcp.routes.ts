import { agentMcpCalls } from '@atelier/contract/endpoints/agent-tools';
import type { Context } from 'hono';
import { type Bounds, type Caller, reached } from '../../access.ts';
import { boundedStream } from '../../platform/bounds.ts';
import { AppError } from '../../platform/errors.ts';
import { serveMcp } from '../../platform/mcp/serve-mcp.ts';
import { parsedJson } from '../../platform/parsed-json.ts';
import { serve } from '../../serve.ts';
import { getAgent } from '../agents/agents.service.ts';
import type { DepsWithRunner } from '../runs/runs.start.service.ts';
import { offerAgent } from './agent-tools.service.ts';
import type { Ask } from './ask.service.ts';
import { watchProgram } from './ask-for-program.ts';

export const agentMcpRoutes = (deps: DepsWithRunner, ask: Ask) =>
  serve(agentMcpCalls, {
    call: async ({ c, caller, params }) => {
      const bounds = c.get('bounds');
      const agent = reached(caller, await getAgent(deps.db, caller.uid, params.agentId));
      const body = await bodyOf(c);
      countBatch(caller, bounds, body);
      const leave = bounds.enter(caller.uid, 'streams');
      const presence = watchProgram(deps, c);
      const end = () => {
        presence.leave();
        presence.end();
        leave();
      };
      try {
        const spend = () => bounds.spend(caller.uid, 'messages');
        const session = c.req.header('x-session-id') || undefined;
        const offer = offerAgent(deps, ask, { caller, agent, session, signal: presence.signal, spend });
        const response = await serveMcp(deps.log, offer, c.req.raw, body);
        if (response.body !== null) return new Response(boundedStream(response.body.getReader(), end), response);
        end();
        return response;
      } catch (error) {
        end();
        throw error;
      }
    },
  });

const BATCH_MAX = 20;

/** Counts each message of a batch; the first one was counted as the request. 400 for too many at once. */
function countBatch({ uid, key }: Caller, bounds: Bounds, body: unknown): void {
  if (!Array.isArray(body)) return;
  if (body.length > BATCH_MAX) throw new AppError('invalid_input', `A batch has at most ${BATCH_MAX} messages.`);
  for (const _ of body.slice(1)) {
    bounds.spend(uid, 'writes');
    if (key !== undefined) bounds.spend(key.id, 'keys');
  }
}

async function bodyOf(c: Context): Promise<unknown> {
  const body = parsedJson(await c.req.text());
  if (body === undefined) throw new AppError('invalid_input', 'The body is not valid JSON.');
  return body;
}
