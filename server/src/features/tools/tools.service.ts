import type { Tool } from '@atelier/contract/tools';
import { type Caller, mayUseTools } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { McpFailed } from '../mcp/own-connection.service.ts';
import { type ServerTool, serverTools } from '../mcp/server-tools.service.ts';
import { BUILT_IN } from './tools.catalogue.ts';
import { type RunnableTool, ToolFailed, type ToolUse } from './tools.define.ts';

const CALL_TIMEOUT_MS = 60_000;

/** A tool as returned by `openTools`, and its context. */
export type OpenedTool = RunnableTool;
export type { ToolUse };

/** Every tool for the user's agents: built-in ones, and those of servers. */
export async function listTools(ctx: Deps, uid: string): Promise<Tool[]> {
  const listed = ({ id, description, writes, server }: Tool) => ({ id, description, writes, server });
  const ofServers = (await serverTools(ctx, uid)).map((tool) => ({
    ...listed(tool),
    ...(tool.off === undefined ? {} : { off: tool.off }),
  }));
  return [...BUILT_IN.map(listed), ...ofServers];
}

/** The approved server tools among these ids, each with its hash, which turning them on refers to. */
export async function pinsOf(ctx: Deps, uid: string, ids: string[]): Promise<[string, string][]> {
  if (ids.every((id) => BUILT_IN.some((tool) => tool.id === id))) return [];
  return (await serverTools(ctx, uid)).filter(({ id }) => ids.includes(id)).map(({ id, hash }) => [id, hash]);
}

/** The installed tools among these ids; none for an account that may not use tools. */
export async function openTools(
  ctx: Deps,
  input: { uid: string; plan: Caller['plan']; ids: string[] },
): Promise<OpenedTool[]> {
  if (!mayUseTools(input.plan) || input.ids.length === 0) return [];
  const chosen = (tool: { id: string }) => input.ids.includes(tool.id);
  const builtIn = BUILT_IN.filter(chosen);
  // Ask a server only if the agent uses one of its tools.
  if (builtIn.length === input.ids.length) return builtIn;
  return [...builtIn, ...(await serverTools(ctx, input.uid)).filter(chosen).map(runnable)];
}

/** A tool that is off stays visible to the model as approved, and its call fails with the reason, which the timeline shows. */
const runnable = ({ call, off, ...tool }: ServerTool): OpenedTool => ({
  ...tool,
  isOff: off !== undefined,
  run: async (input, { signal }) => {
    if (off !== undefined) throw new ToolFailed(off);
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    try {
      return await call(isObject ? { ...input } : {}, signal);
    } catch (error) {
      throw error instanceof McpFailed ? new ToolFailed(error.message) : error;
    }
  },
});

/**
 * A tool's answer, or the sentence that says why there is none; a tool that hangs is abandoned after a minute. Throws only the signal's
 * reason when it aborts.
 */
export async function runTool(
  tool: OpenedTool,
  input: unknown,
  use: ToolUse,
): Promise<{ output: unknown } | { failed: string }> {
  const late = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const signal = AbortSignal.any([use.signal, late]);
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new ToolFailed('The tool did not answer within 60 seconds.'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    use.signal.throwIfAborted();
    return { output: await Promise.race([tool.run(input, { ...use, signal }), stopped]) };
  } catch (error) {
    use.signal.throwIfAborted();
    if (error instanceof ToolFailed) return { failed: error.message };
    use.ctx.log.error('tools.failed', error, { tool: tool.id });
    return { failed: 'The tool failed.' };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
