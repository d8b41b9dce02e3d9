import type { Tool } from '@atelier/contract/tools';
import { type Caller, mayUseTools } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import type { McpQuestion } from '../../platform/mcp/mcp-connection.ts';
import { isRecord } from '../../platform/parsed-json.ts';
import { McpFailed } from '../mcp/server-failure.service.ts';
import { chosenTools, isChosen, type ServerTool, serverTools } from '../mcp/server-tools.service.ts';
import { BUILT_IN } from './tools.catalogue.ts';
import { AnswerWithExtras, type RunnableTool, type ToolExtras, ToolFailed, type ToolUse } from './tools.define.ts';

const CALL_TIMEOUT_MS = 60_000;

/** A tool as returned by `openTools`, and its context. */
export type OpenedTool = RunnableTool;
export type { ToolExtras, ToolUse };

/** Every tool for the user's agents: built-in ones, and those of servers. */
export async function listTools(ctx: Deps, uid: string): Promise<Tool[]> {
  const listed = ({ id, description, writes, server }: Tool) => ({ id, description, writes, server });
  const ofServers = (await serverTools(ctx, uid)).map((tool) => ({
    ...listed(tool),
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.off === undefined ? {} : { off: tool.off }),
  }));
  return [...BUILT_IN.map(listed), ...ofServers];
}

const isBuiltIn = (id: string) => BUILT_IN.some((tool) => tool.id === id);

/** Which of these ids mean tools that the user's agents can have. Only the servers that they name are asked. */
export async function findExistingTools(ctx: Deps, uid: string, ids: readonly string[]): Promise<Set<string>> {
  const ofServers = ids.every(isBuiltIn) ? [] : await chosenTools(ctx, uid, ids);
  return new Set(ids.filter((id) => isBuiltIn(id) || ofServers.some((tool) => isChosen(tool, [id]))));
}

/** The approved server tools that these ids mean, each with its hash, which turning them on refers to. */
export async function pinsOf(ctx: Deps, uid: string, ids: string[]): Promise<[string, string][]> {
  if (ids.every(isBuiltIn)) return [];
  return (await chosenTools(ctx, uid, ids)).map(({ id, hash }) => [id, hash]);
}

/** The installed tools that these ids mean, and which ids mean none; nothing for an account that may not use tools. */
export async function openTools(
  ctx: Deps,
  input: { uid: string; plan: Caller['plan']; ids: string[] },
): Promise<{ opened: OpenedTool[]; missing: string[] }> {
  const { ids } = input;
  if (!mayUseTools(input.plan) || ids.length === 0) return { opened: [], missing: [] };
  const builtIn = BUILT_IN.filter((tool) => ids.includes(tool.id));
  // Ask a server only if the agent uses one of its tools.
  const ofServers = builtIn.length === ids.length ? [] : await chosenTools(ctx, input.uid, ids);
  const missing = ids.filter((id) => !isBuiltIn(id) && !ofServers.some((tool) => isChosen(tool, [id])));
  return { opened: [...builtIn, ...ofServers.filter(({ isUnusable }) => !isUnusable).map(runnable)], missing };
}

/** A tool that is off stays visible to the model as approved, and its call fails with the reason, which the timeline shows. */
const runnable = ({ call, off, isUnusable: _isUnusable, title: _title, ...tool }: ServerTool): OpenedTool => ({
  ...tool,
  isOff: off !== undefined,
  isPatient: true,
  run: async (input, { signal, sessionId, onProgress, ask }) => {
    if (off !== undefined) throw new ToolFailed(off);
    const working = { signal, onProgress, ask: (question: McpQuestion) => ask(tool.server, question) };
    try {
      const { text, ...extras } = await call(isRecord(input) ? input : {}, sessionId, working);
      return new AnswerWithExtras(text, extras);
    } catch (error) {
      throw error instanceof McpFailed ? new ToolFailed(error.message) : error;
    }
  },
});

/**
 * A tool's answer, or the sentence that says why there is none; a tool that hangs is abandoned after a minute, unless it keeps its own
 * time. Throws only the signal's reason when it aborts.
 */
export async function runTool(
  tool: OpenedTool,
  input: unknown,
  use: ToolUse,
): Promise<{ output: unknown; extras?: ToolExtras } | { failed: string }> {
  const signal =
    tool.isPatient === true ? use.signal : AbortSignal.any([use.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new ToolFailed('The tool did not answer within 60 seconds.'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    use.signal.throwIfAborted();
    const answered = await Promise.race([tool.run(input, { ...use, signal }), stopped]);
    if (!(answered instanceof AnswerWithExtras)) return { output: answered };
    return { output: answered.output, extras: answered.extras };
  } catch (error) {
    use.signal.throwIfAborted();
    if (error instanceof ToolFailed) return { failed: error.message };
    use.ctx.log.error('tools.failed', error, { tool: tool.id });
    return { failed: 'The tool failed.' };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
