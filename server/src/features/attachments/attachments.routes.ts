import { Readable } from 'node:stream';
import { ATTACHMENT_LIMITS, ATTACHMENT_SENTENCES } from '@atelier/contract/attachments/attachable';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/disposition.ts';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { discardBody } from '../../platform/http/upload.ts';
import { receiveUpload } from '../files/incoming-uploads.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { addAttachment } from './add-attachment.service.ts';
import { deleteAttachment, getAttachment, openAttachment, toAttachment, toSent } from './attachments.service.ts';

/** A sender who was refused early reads the answer and keeps its connection. */
const keepConnection: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.method === 'POST') await discardBody(c.req.raw);
};

/** Mounted at /api/sessions, before the limit of JSON bodies: uploads have their own. */
export function attachmentsRoutes(deps: Deps) {
  const sessionOf = (c: Context<AppEnv>) => getSession(deps.db, c.get('caller').uid, c.req.param('sessionId') ?? '');
  return new Hono<AppEnv>()
    .use('/:sessionId/attachments/*', keepConnection)
    .post('/:sessionId/attachments', requires('pro', 'uploads'), async (c) => {
      const session = await sessionOf(c);
      const leave = c.get('bounds').enter(c.get('caller').uid, 'uploads');
      try {
        const { bytes } = ATTACHMENT_LIMITS;
        const received = await receiveUpload(deps.config, c.req.raw, bytes, ATTACHMENT_SENTENCES.tooLarge);
        try {
          const row = await addAttachment(deps, session, received, { signal: c.req.raw.signal });
          return c.json({ attachment: toAttachment(toSent(row), session.id) }, 201);
        } finally {
          await received.discard();
        }
      } finally {
        leave();
      }
    })
    .get('/:sessionId/attachments/:attachmentId', requires('user'), async (c) => {
      const row = await getAttachment(deps, await sessionOf(c), c.req.param('attachmentId'));
      const open = async () => Readable.toWeb(await openAttachment(deps, row)) as ReadableStream<Uint8Array>;
      const stream = await c.get('bounds').hold(c.get('caller').uid, 'downloads', open);
      // A page shows it as a picture only; opened by itself, it can do nothing.
      return c.body(stream, 200, {
        'content-type': row.kind === 'picture' ? row.type : 'application/octet-stream',
        'content-length': String(row.size),
        'content-disposition': asDownload(row.name),
        'x-content-type-options': 'nosniff',
        'content-security-policy': FOREIGN_CONTENT,
      });
    })
    .delete('/:sessionId/attachments/:attachmentId', requires('user'), async (c) => {
      await deleteAttachment(deps, await getAttachment(deps, await sessionOf(c), c.req.param('attachmentId')));
      return c.body(null, 204);
    });
}
