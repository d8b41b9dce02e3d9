import type { Deps } from '../../platform/deps.ts';
import { listServers } from './mcp.table.ts';
import { ownSource } from './own-source.service.ts';
import { allToolsId, keyOfTool } from './tool-names.ts';
import { type ServerTool, type ToolSource, toolsOf } from './tool-source.ts';

export type { ServerTool };

/** The servers that a user's agents may have: the operator's, which are everyone's, and the person's own. */
export const sourcesOf = async (ctx: Deps, uid: string): Promise<[operator: ToolSource[], own: ToolSource[]]> => [
  ctx.operatorSources.filter(({ isOff }) => !isOff),
  (await listServers(ctx, uid)).map((row) => ownSource(ctx, row)),
];

const toolsFrom = async (sources: ToolSource[], how: 'approvedTools' | 'refreshedTools'): Promise<ServerTool[]> =>
  (await Promise.all(sources.map(async (source) => toolsOf(source, await source[how]())))).flat();

/** Every tool that servers offer to a user, as approved. */
export const serverTools = async (ctx: Deps, uid: string): Promise<ServerTool[]> =>
  toolsFrom((await sourcesOf(ctx, uid)).flat(), 'refreshedTools');

/** The tools with these ids, of which one may mean all of a server. Only their own servers are asked. */
export async function chosenTools(ctx: Deps, uid: string, ids: readonly string[]): Promise<ServerTool[]> {
  const keys = new Set(ids.filter((id) => id.includes('__')).map(keyOfTool));
  const sources = keys.size === 0 ? [] : (await sourcesOf(ctx, uid)).flat();
  const tools = await toolsFrom(
    sources.filter(({ key }) => keys.has(key)),
    'approvedTools',
  );
  return tools.filter((tool) => isChosen(tool, ids));
}

/** Whether a list of ids contains a tool, or all of its server. */
export const isChosen = ({ id }: { id: string }, ids: readonly string[]): boolean =>
  ids.includes(id) || ids.includes(allToolsId(keyOfTool(id)));
