import { buffer } from 'node:stream/consumers';
import type { Deps } from '../../platform/deps.ts';
import { readPicture } from '../../platform/pictures/read-picture.ts';
import { findPictures } from './files.queries.ts';
import type { AgentFileRow } from './files.table.ts';

/** An agent's pictures among these files, in the order of the ids. */
export async function findPictureFiles(
  ctx: Pick<Deps, 'db'>,
  agent: { userId: string; id: string },
  ids: readonly string[],
): Promise<AgentFileRow[]> {
  const rows = await findPictures(ctx.db, agent, ids);
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** Whether a stored file is a picture that models take. Throws when it can't be opened. */
export const isPicture = async (ctx: Pick<Deps, 'storage'>, { key }: Pick<AgentFileRow, 'key'>): Promise<boolean> =>
  (await readPicture(await buffer(await ctx.storage.get(key)))) !== null;

/** What can be found of a picture without text: the words of its name. */
export function wordsOfName(name: string): string {
  const words = name.replace(/\.\w{1,5}$/u, '').replaceAll(/[_\-.]+/gu, ' ');
  return `A picture named “${name}”: ${words}`;
}
