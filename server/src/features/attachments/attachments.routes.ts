import { Readable } from 'node:stream';
import { attachmentCalls } from '@atelier/contract/attachments/attachments';
import { FILE_LIMITS, FILE_SENTENCES } from '@atelier/contract/files';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/disposition.ts';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { receiveUpload } from '../files/incoming-uploads.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { addAttachment } from './add-attachment.service.ts';
import { deleteAttachment, getAttachment, openAttachment, toAttachment, toSent } from './attachments.service.ts';

/** Mounted before the limit of JSON bodies: uploads have their own. */
export function attachmentsRoutes(deps: Deps) {
  const sessionOf = (caller: Caller, { sessionId }: { sessionId: string }) =>
    getSession(deps.db, caller.uid, sessionId);
  return serve(attachmentCalls, {
    add: async ({ c, caller, params }) => {
      const session = await sessionOf(caller, params);
      const { bytes } = FILE_LIMITS;
      const received = await receiveUpload(deps.config, c.req.raw, bytes, FILE_SENTENCES.tooLarge);
      try {
        const row = await addAttachment(deps, session, received, { signal: c.req.raw.signal });
        return { attachment: toAttachment(toSent(row), session.id) };
      } finally {
        await received.discard();
      }
    },
    get: async ({ c, caller, params }) => {
      const row = await getAttachment(deps, await sessionOf(caller, params), params.attachmentId);
      const open = async () => Readable.toWeb(await openAttachment(deps, row)) as ReadableStream<Uint8Array>;
      const stream = await c.get('bounds').hold(caller.uid, 'downloads', open);
      // A page shows it as a picture only; opened by itself, it can do nothing.
      return c.body(stream, 200, {
        'content-type': row.kind === 'picture' ? row.type : 'application/octet-stream',
        'content-length': String(row.size),
        'content-disposition': asDownload(row.name),
        'x-content-type-options': 'nosniff',
        'content-security-policy': FOREIGN_CONTENT,
      });
    },
    remove: async ({ caller, params }) =>
      deleteAttachment(deps, await getAttachment(deps, await sessionOf(caller, params), params.attachmentId)),
  });
}
