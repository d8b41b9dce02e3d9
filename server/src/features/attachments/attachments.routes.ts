import { Readable } from 'node:stream';
import { ATTACHMENT_LIMITS, ATTACHMENT_SENTENCES } from '@atelier/contract/attachments/attachable';
import { attachmentCalls } from '@atelier/contract/attachments/attachments';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/disposition.ts';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { receiveUpload } from '../files/incoming-uploads.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { addAttachment } from './add-attachment.service.ts';
import { deleteAttachment, getAttachment, openAttachment, toAttachment, toSent } from './attachments.service.ts';

/** Mounted before the limit of JSON bodies: uploads have their own. */
export const attachmentsRoutes = (deps: Deps) =>
  serve(attachmentCalls, {
    add: async ({ c, caller, params }) => {
      const session = await getSession(deps.db, caller.uid, params.sessionId);
      const { bytes } = ATTACHMENT_LIMITS;
      const received = await receiveUpload(deps.config, c.req.raw, bytes, ATTACHMENT_SENTENCES.tooLarge);
      try {
        const row = await addAttachment(deps, session, received, { signal: c.req.raw.signal });
        return { attachment: toAttachment(toSent(row), session.id) };
      } finally {
        await received.discard();
      }
    },
    get: ({ c, caller, params }) =>
      c.get('bounds').hold(caller.uid, 'downloads', async () => {
        const row = await getAttachment(deps, caller.uid, params);
        // A page shows it as a picture only; opened by itself, it can do nothing.
        return c.body(Readable.toWeb(await openAttachment(deps, row)) as ReadableStream, 200, {
          'content-type': row.kind === 'picture' ? row.type : 'application/octet-stream',
          'content-length': String(row.size),
          'content-disposition': asDownload(row.name),
          'x-content-type-options': 'nosniff',
          'content-security-policy': FOREIGN_CONTENT,
        });
      }),
    remove: async ({ caller, params }) => deleteAttachment(deps, await getAttachment(deps, caller.uid, params)),
  });
