import { Readable } from 'node:stream';
import { PHOTO_LIMITS } from '@atelier/contract/accounts';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { FOREIGN_CONTENT } from '../../../platform/http/headers.ts';
import { limitBody } from '../../../platform/http/validate.ts';
import { openPhoto, removePhoto, setPhoto } from './photos.service.ts';

/** Mounted at /api/me, before the limit of JSON bodies. A photo is its owner's alone: nobody else sees one. */
export function photosRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .put('/photo', requires('user'), limitBody(PHOTO_LIMITS.bytes), async (c) => {
      if (!c.req.header('content-type')?.startsWith('image/')) {
        throw new AppError('unsupported_type', 'Send the photo itself, as image/png, image/jpeg or image/webp.');
      }
      const leave = c.get('bounds').enter(c.get('caller').uid, 'uploads');
      try {
        const bytes = Buffer.from(await c.req.arrayBuffer());
        return c.json({ photoURL: await setPhoto(deps, c.get('caller'), bytes) });
      } finally {
        leave();
      }
    })
    .delete('/photo', requires('user'), async (c) => {
      await removePhoto(deps, c.get('caller'));
      return c.body(null, 204);
    })
    .get('/photo/:file', requires('user'), async (c) => {
      const { type, stream } = await openPhoto(deps, c.get('caller'), c.req.param('file'));
      return c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, 200, {
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': FOREIGN_CONTENT,
        'content-disposition': 'inline; filename="photo"',
        'cross-origin-resource-policy': 'same-origin',
      });
    });
}
