import { attachmentCalls } from '@atelier/contract/attachments/attachments';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { answerWithUpload, withUpload } from '../files/uploads.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { addAttachment } from './add-attachment.service.ts';
import { deleteAttachment, getAttachment, toAttachment, toSent } from './attachments.service.ts';

/** Mounted before the limit of JSON bodies: uploads have their own. */
export const attachmentsRoutes = (deps: Deps) =>
  serve(attachmentCalls, {
    add: async ({ c, caller, params }) => {
      const session = await getSession(deps.db, caller.uid, params.sessionId);
      const { raw } = c.req;
      const row = await withUpload(deps, raw, (received) =>
        addAttachment(deps, session, received, { signal: raw.signal }),
      );
      return { attachment: toAttachment(toSent(row), session.id) };
    },
    get: ({ c, caller, params }) =>
      answerWithUpload(deps, c, {
        uid: caller.uid,
        find: () => getAttachment(deps, caller.uid, params),
        // A page shows it as a picture only; opened by itself, it can do nothing.
        typeOf: ({ kind, type }) => (kind === 'picture' ? type : undefined),
      }),
    remove: async ({ caller, params }) => deleteAttachment(deps, await getAttachment(deps, caller.uid, params)),
  });
