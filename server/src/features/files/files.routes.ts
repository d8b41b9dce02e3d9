import { Readable } from 'node:stream';
import { FILE_LIMITS, FILE_SENTENCES } from '@atelier/contract/files';
import { pageQuery } from '@atelier/contract/ids';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/disposition.ts';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { discardBody } from '../../platform/http/upload.ts';
import { validate } from '../../platform/http/validate.ts';
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

/** A sender who was refused early reads the answer and keeps its connection. */
const keepConnection: MiddlewareHandler = async (c, next) => {
  await next();
  if (isUpload(c.req.raw)) await discardBody(c.req.raw);
};

/** Mounted at /api/agents, before the limit of JSON bodies: uploads have their own. */
export function filesRoutes(deps: Deps) {
  const agentOf = (c: Context<AppEnv>) => getAgent(deps.db, c.get('caller').uid, c.req.param('agentId') ?? '');
  return new Hono<AppEnv>()
    .use('/:agentId/files/*', keepConnection)
    .get('/:agentId/files', requires('pro'), validate('query', pageQuery), async (c) => {
      const agent = await agentOf(c);
      const { rows, nextCursor } = await listFiles(deps, agent, c.req.valid('query'));
      return c.json({ files: rows.map((row) => toFile(row, agent.slug)), nextCursor });
    })
    .post('/:agentId/files', requires('pro', 'uploads'), async (c) => {
      const agent = await agentOf(c);
      const leave = c.get('bounds').enter(c.get('caller').uid, 'uploads');
      const received = await receiveUpload(deps.config, c.req.raw, FILE_LIMITS.bytes, FILE_SENTENCES.tooLarge).finally(
        leave,
      );
      try {
        return c.json({ file: toFile(await addFile(deps, c.get('caller'), agent, received), agent.slug) }, 201);
      } finally {
        await received.discard();
      }
    })
    .get('/:agentId/files/:fileId', requires('pro'), async (c) => {
      const file = await getFile(deps, await agentOf(c), c.req.param('fileId'));
      const open = async () => Readable.toWeb(await openFile(deps, file)) as ReadableStream<Uint8Array>;
      const stream = await c.get('bounds').hold(c.get('caller').uid, 'downloads', open);
      // Never shown in the page, whatever type it claims: a file may contain anything.
      return c.body(stream, 200, {
        'content-type': 'application/octet-stream',
        'content-length': String(file.size),
        'content-disposition': asDownload(file.name),
        'x-content-type-options': 'nosniff',
        'content-security-policy': FOREIGN_CONTENT,
      });
    })
    .get('/:agentId/files/:fileId/passages', requires('pro'), async (c) => {
      const agent = await agentOf(c);
      const file = await getFile(deps, agent, c.req.param('fileId'));
      return c.json({ file: toFile(file, agent.slug), passages: await readPassages(deps, file) });
    })
    .delete('/:agentId/files/:fileId', requires('pro'), async (c) => {
      await deleteFile(deps, await getFile(deps, await agentOf(c), c.req.param('fileId')));
      return c.body(null, 204);
    })
    .post('/:agentId/files/:fileId/restore', requires('pro'), async (c) => {
      const agent = await agentOf(c);
      return c.json({ file: toFile(await restoreFile(deps, agent, c.req.param('fileId')), agent.slug) });
    });
}
