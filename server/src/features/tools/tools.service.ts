import type { Tool } from '@atelier/contract/tools';
import { type Caller, mayUseTools } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { BUILT_IN } from './tools.catalogue.ts';
import { type RunnableTool, ToolFailed, type ToolUse } from './tools.define.ts';

const CALL_TIMEOUT_MS = 60_000;

/** A tool as `openTools` hands it out. */
export type OpenedTool = RunnableTool;

/** Every tool that the user's agents may be given: the product's own, and those of servers. */
export async function listTools(_ctx: Deps, _uid: string): Promise<Tool[]> {
  return BUILT_IN.map(({ id, description, writes, server }) => ({ id, description, writes, server }));
}

/** The tools behind ids, as far as they are installed; none at all for an account that may not use tools. */
export async function openTools(
  _ctx: Deps,
  input: { uid: string; plan: Caller['plan']; ids: string[] },
): Promise<OpenedTool[]> {
  if (!mayUseTools(input.plan) || input.ids.length === 0) return [];
  return BUILT_IN.filter((tool) => input.ids.includes(tool.id));
}

/**
 * What a tool answers, or the sentence that says why it gave nothing; one that hangs is left behind after a minute. Throws the
 * signal's reason when that aborts, and nothing else.
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
