import type { McpCall } from '../../../platform/mcp/mcp-connection.ts';
import { plainReason } from '../../../platform/mcp/plain-reason.ts';
import { callForResult } from '../server-answer.ts';
import { McpFailed } from '../server-failure.service.ts';
import { described, type ServerTool } from '../server-tool.service.ts';
import { sameTool } from '../tool-hash.ts';
import type { OperatorLink } from './operator-link.ts';

const OPERATORS_CHANGED =
  'The server changed this tool after it was approved. It is off until the operator approves it again.';

/** The approved tools of an operator’s server. */
export function operatorTools(link: OperatorLink, pins: Awaited<ReturnType<OperatorLink['known']>>): ServerTool[] {
  return pins.map(({ tool, isOff }) => ({
    ...described(link.key, link.name, tool, isOff ? OPERATORS_CHANGED : undefined),
    writes: !tool.readOnly,
    call: (input, conversation, call) =>
      link
        .use(conversation, async (connection, now, isAlone) => {
          const offered = now.find(({ name }) => name === tool.name);
          if (offered === undefined) throw new McpFailed('The server does not offer this tool any more.');
          if (!sameTool(tool, offered)) {
            await link.compare(now);
            throw new McpFailed(OPERATORS_CHANGED);
          }
          // Where conversations share a connection, nothing says whom a question is for.
          const ask: McpCall['ask'] = async (question) =>
            (isAlone() ? await call.ask?.(question) : undefined) ?? { action: 'cancel' };
          return callForResult(connection, offered, input, { ...call, ask });
        })
        .catch((error: unknown) => {
          call.signal.throwIfAborted();
          if (error instanceof McpFailed) throw error;
          const why = error instanceof Error ? ` ${plainReason(error.message)}` : '';
          throw new McpFailed(`The server “${link.name}” can’t be reached.${why}`);
        }),
  }));
}
