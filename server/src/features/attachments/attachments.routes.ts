import { attachmentCalls } from '@atelier/contract/attachments/attachments';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { sendUpload, withUpload } from '../files/uploads.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { addAttachment } from './add-attachment.service.ts';
import { deleteAttachment, getAttachment, toAttachment, toSent } from './attachments.service.ts';

/** Mounted before the limit of JSON bodies: uploads have their own. */
export function attachmentsRoutes(deps: Deps) {
  const sessionOf = (caller: Caller, { sessionId }: { sessionId: string }) =>
    getSession(deps.db, caller.uid, sessionId);
  return serve(attachmentCalls, {
    add: async ({ c, caller, params }) => {
      const session = await sessionOf(caller, params);
      const { raw } = c.req;
      const row = await withUpload(deps, raw, (received) =>
        addAttachment(deps, session, received, { signal: raw.signal }),
      );
      return { attachment: toAttachment(toSent(row), session.id) };
    },
    get: async ({ c, caller, params }) => {
      const row = await getAttachment(deps, await sessionOf(caller, params), params.attachmentId);
      // A page shows it as a picture only; opened by itself, it can do nothing.
      return sendUpload(deps, c, row, row.kind === 'picture' ? row.type : undefined);
    },
    remove: async ({ caller, params }) =>
      deleteAttachment(deps, await getAttachment(deps, await sessionOf(caller, params), params.attachmentId)),
  });
}
