import { Readable } from 'node:stream';
import { PHOTO_LIMITS, photoCalls } from '@atelier/contract/accounts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { FOREIGN_CONTENT } from '../../../platform/http/headers.ts';
import { limitBody } from '../../../platform/http/validate.ts';
import { serve } from '../../../serve.ts';
import { openPhoto, removePhoto, setPhoto } from './photos.service.ts';

/** Mounted before the limit of JSON bodies. A photo is its owner's alone: nobody else sees one. */
export const photosRoutes = (deps: Deps) =>
  serve(
    photoCalls,
    {
      set: async ({ c, caller }) => {
        if (!c.req.header('content-type')?.startsWith('image/')) {
          throw new AppError('unsupported_type', 'Send the photo itself, as image/png, image/jpeg or image/webp.');
        }
        return { photoURL: await setPhoto(deps, caller, Buffer.from(await c.req.arrayBuffer())) };
      },
      remove: ({ caller }) => removePhoto(deps, caller),
      get: async ({ c, caller, params }) => {
        const { type, stream } = await openPhoto(deps, caller, params.file);
        return c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, 200, {
          'content-type': type,
          'x-content-type-options': 'nosniff',
          'content-security-policy': FOREIGN_CONTENT,
          'content-disposition': 'inline; filename="photo"',
          'cross-origin-resource-policy': 'same-origin',
        });
      },
    },
    { set: [limitBody(PHOTO_LIMITS.bytes)] },
  );
