import { agentAsk, agentRecall, agentRemember } from '@atelier/contract/endpoints/agent-tools';
import { NIL } from 'uuid';
import { type Authorized, type Caller, mayByKey, recallScope } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Offer, OfferedTool } from '../../platform/mcp/serve-mcp.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { getFile, listFiles } from '../files/files.service.ts';
import { readPassages } from '../files/passages.service.ts';
import { recall, remember } from '../memory/memory.service.ts';
import { type Ask, checked, chooseSession } from './ask.service.ts';

const RECALL_LIMIT = 8;
const PAGE = 50;
const SCHEME = 'atelier://files/';

/** One request to an agent: who asks, in which session by default, and until when. */
interface AgentRequest {
  caller: Caller;
  agent: Authorized<AgentRow>;
  session: string | undefined;
  signal: AbortSignal;
  /** Counts a message; throws 429. */
  spend: () => void;
}

/** What an agent offers to other programs: to ask it, to have it remember, to recall what it remembers, and its files. */
export function offerAgent(ctx: Deps, ask: Ask, request: AgentRequest): Offer {
  const { agent, caller } = request;
  const mayRead = mayByKey(caller, 'read');
  return {
    name: agent.name,
    instructions: agent.description || `Ask ${agent.name}, an agent that remembers.`,
    tools: [
      ...(mayByKey(caller, 'talk') ? [askTool(ask, request), rememberTool(ctx, request)] : []),
      ...(mayRead ? [recallTool(ctx, request)] : []),
    ],
    ...(mayRead ? { resources: filesOf(ctx, agent) } : {}),
  };
}

const askTool = (ask: Ask, { caller, agent, session, signal, spend }: AgentRequest): OfferedTool => ({
  name: 'ask',
  description: `Sends a message to ${agent.name} and returns the answer. The agent remembers the exchange.`,
  input: agentAsk,
  readOnly: false,
  async call(input, progress) {
    spend();
    const { message, session: name = session } = agentAsk.parse(input);
    const { task, events } = await ask(caller, { agent, session: { name }, text: message }, signal);
    let ended = task;
    for await (const event of events) {
      progress();
      if (event.type === 'done') ended = event.task;
    }
    return checked(ended).message;
  },
});

const rememberTool = (ctx: Deps, { caller, agent, session, spend }: AgentRequest): OfferedTool => ({
  name: 'remember',
  description: `Gives ${agent.name} something to remember, without asking anything.`,
  input: agentRemember,
  readOnly: false,
  async call(input) {
    spend();
    const { text, session: name = session } = agentRemember.parse(input);
    if (!agent.memoryEnabled) throw new AppError('conflict', 'The memory of this agent is off.');
    const sessionId = await chooseSession(ctx, caller, agent, { name });
    const entry = { userId: caller.uid, agentId: agent.id, sessionId, kind: 'person' as const, text };
    await ctx.db.transaction(async (tx) => {
      await remember(tx, [{ ...entry, timestamp: new Date() }]);
      await ctx.live.notify(tx, caller.uid, 'memories', '');
    });
    return 'Remembered.';
  },
});

const recallTool = (ctx: Deps, { caller, agent }: AgentRequest): OfferedTool => ({
  name: 'recall',
  description: `Finds what ${agent.name} remembers about a subject, and what its files say, best first, as JSON.`,
  input: agentRecall,
  readOnly: true,
  async call(input) {
    const { query, limit = RECALL_LIMIT } = agentRecall.parse(input);
    const scope = agent.memoryEnabled ? recallScope(caller.plan) : ('files' as const);
    const place = { userId: caller.uid, agentId: agent.id, sessionId: NIL, scope };
    const results = await recall(ctx, { ...place, text: query, limit });
    const items = results.map(({ id, kind, text, timestamp, score, sessionId, fileName, place: at }) => {
      return { id, kind, text, timestamp, score, sessionId, fileName, place: at };
    });
    return JSON.stringify({ memories: items });
  },
});

const filesOf = (ctx: Deps, agent: Authorized<AgentRow>): Offer['resources'] => ({
  async list(cursor) {
    const { rows, nextCursor } = await listFiles(ctx, agent, { limit: PAGE, cursor });
    const readable = rows.filter(({ state }) => state === 'ready');
    const resources = readable.map(({ id, name, size }) => ({
      uri: `${SCHEME}${id}`,
      name,
      mimeType: 'text/plain',
      size,
    }));
    return { resources, ...(nextCursor === null ? {} : { nextCursor }) };
  },
  async read(uri) {
    const file = await getFile(ctx, agent, uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : '');
    return (await readPassages(ctx, file)).map(({ text }) => text).join('\n\n');
  },
});
