import type { Deps } from '../../platform/deps.ts';
import { ownTools } from './own-source.service.ts';
import { allToolsId, keyOfTool } from './tool-names.ts';
import { type ServerTool, toolsOf } from './tool-source.ts';

export type { ServerTool };

/** Every tool that servers offer to a user, as approved: the operator's to everyone, a person's own to themselves. */
export async function serverTools(ctx: Deps, uid: string): Promise<ServerTool[]> {
  const operator = await Promise.all(ctx.operatorLinks.map(async (link) => toolsOf(link, await link.listed())));
  return [...operator.flat(), ...(await ownTools(ctx, uid))];
}

/** The tools with these ids, of which one may mean all of a server. Only their own servers are asked. */
export async function chosenTools(ctx: Deps, uid: string, ids: readonly string[]): Promise<ServerTool[]> {
  const keys = new Set(ids.map(keyOfTool));
  const links = ctx.operatorLinks.filter(({ key }) => keys.has(key));
  const operator = await Promise.all(links.map(async (link) => toolsOf(link, await link.known())));
  const own = ids.some((id) => id.includes('__')) ? await ownTools(ctx, uid) : [];
  return [...operator.flat(), ...own].filter((tool) => isChosen(tool, ids));
}

/** Whether a list of ids contains a tool, or all of its server. */
export const isChosen = ({ id }: { id: string }, ids: readonly string[]): boolean =>
  ids.includes(id) || ids.includes(allToolsId(keyOfTool(id)));
