import { fileCalls } from '@atelier/contract/files';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { getAgent } from '../agents/agents.service.ts';
import { addFile, deleteFile, getFile, listFiles, restoreFile, toFile } from './files.service.ts';
import { readPassages } from './passages.service.ts';
import { answerWithUpload, withUpload } from './uploads.service.ts';

/** Whether a request uploads a file, which may take its time. */
export const isUpload = ({ method, url }: { method?: string; url?: string }) =>
  method === 'POST' &&
  /^(?:https?:\/\/[^/]+)?\/api\/(?:agents\/[^/?]+\/files|sessions\/[^/?]+\/attachments|imports)(?:\?|$)/u.test(
    url ?? '',
  );

/** Mounted before the limit of JSON bodies: uploads have their own. */
export function filesRoutes(deps: Deps) {
  const agentOf = (caller: Caller, { agentId }: { agentId: string }) => getAgent(deps.db, caller.uid, agentId);
  return serve(fileCalls, {
    list: async ({ caller, params, query }) => {
      const agent = await agentOf(caller, params);
      const { rows, nextCursor } = await listFiles(deps, agent, query);
      return { files: rows.map((row) => toFile(row, agent.slug)), nextCursor };
    },
    add: async ({ c, caller, params }) => {
      const agent = await agentOf(caller, params);
      const row = await withUpload(deps, c.req.raw, (received) => addFile(deps, caller, agent, received));
      return { file: toFile(row, agent.slug) };
    },
    get: ({ c, caller, params }) =>
      answerWithUpload(deps, c, {
        uid: caller.uid,
        find: async () => getFile(deps, await agentOf(caller, params), params.fileId),
      }),
    read: async ({ caller, params }) => {
      const agent = await agentOf(caller, params);
      const file = await getFile(deps, agent, params.fileId);
      return { file: toFile(file, agent.slug), passages: await readPassages(deps, file) };
    },
    remove: async ({ caller, params }) =>
      deleteFile(deps, await getFile(deps, await agentOf(caller, params), params.fileId)),
    restore: async ({ caller, params }) => {
      const agent = await agentOf(caller, params);
      return { file: toFile(await restoreFile(deps, agent, params.fileId), agent.slug) };
    },
  });
}
