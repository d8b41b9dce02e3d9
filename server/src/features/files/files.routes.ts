import { Readable } from 'node:stream';
import { FILE_LIMITS, FILE_SENTENCES, fileCalls } from '@atelier/contract/files';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/disposition.ts';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { getAgent } from '../agents/agents.service.ts';
import { addFile } from './add-file.service.ts';
import { deleteFile, restoreFile } from './delete-file.service.ts';
import { readPassages } from './file-passages.service.ts';
import { getFile, listFiles, openFile, toFile } from './files.service.ts';
import { receiveUpload } from './incoming-uploads.service.ts';

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
      const leave = c.get('bounds').enter(caller.uid, 'uploads');
      const { bytes } = FILE_LIMITS;
      const received = await receiveUpload(deps.config, c.req.raw, bytes, FILE_SENTENCES.tooLarge).finally(leave);
      try {
        return { file: toFile(await addFile(deps, caller, agent, received), agent.slug) };
      } finally {
        await received.discard();
      }
    },
    get: ({ c, caller, params }) =>
      c.get('bounds').hold(caller.uid, 'downloads', async () => {
        const file = await getFile(deps, await agentOf(caller, params), params.fileId);
        // Never shown in the page, whatever type it claims: a file may contain anything.
        return c.body(Readable.toWeb(await openFile(deps, file)) as ReadableStream, 200, {
          'content-type': 'application/octet-stream',
          'content-length': String(file.size),
          'content-disposition': asDownload(file.name),
          'x-content-type-options': 'nosniff',
          'content-security-policy': FOREIGN_CONTENT,
        });
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
