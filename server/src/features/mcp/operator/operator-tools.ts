import { callForResult } from '../server-answer.ts';
import { McpFailed } from '../server-failure.service.ts';
import { described, type ServerTool } from '../server-tool.service.ts';
import type { OperatorLink } from './operator-link.ts';

const OPERATORS_CHANGED =
  'The server changed this tool after it was approved. It is off until the operator approves it again.';

/** The approved tools of an operator’s server. */
export function operatorTools(link: OperatorLink, pins: Awaited<ReturnType<OperatorLink['known']>>): ServerTool[] {
  return pins.map(({ tool, isOff }) => ({
    ...described(link.key, link.name, tool, isOff ? OPERATORS_CHANGED : undefined),
    writes: !tool.readOnly,
    call: async (input, _conversation, call) => {
      const { connection, offers } = await link.connect(tool).catch((error: unknown) => {
        const why = error instanceof Error ? ` ${error.message}` : '';
        throw new McpFailed(`The server “${link.name}” can’t be reached.${why}`);
      });
      if (offers === 'changed') throw new McpFailed(OPERATORS_CHANGED);
      if (offers === 'gone') throw new McpFailed('The server does not offer this tool any more.');
      return callForResult(connection, tool, input, call);
    },
  }));
}
