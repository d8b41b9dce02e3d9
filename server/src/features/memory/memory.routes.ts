import { memoriesForget, memoriesQuery, memoryUpdate } from '@atelier/contract/memory';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { embeddingProgress } from './embed.service.ts';
import { listMemories } from './list.service.ts';
import { exportMemories, forgetMemories, getMemory, showMemory, toMemory, updateMemory } from './manage.service.ts';

export function memoryRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('pro'), validate('query', memoriesQuery), async (c) => {
      const { rows, ...rest } = await listMemories(deps, c.get('caller'), c.req.valid('query'));
      return c.json({ memories: rows.map(({ row, why }) => ({ ...toMemory(row), ...(why && { why }) })), ...rest });
    })
    .get('/status', requires('pro'), async (c) => c.json({ embedding: await embeddingProgress(deps, c.get('caller')) }))
    .get('/export', requires('pro'), validate('query', memoriesQuery), async (c) => {
      const caller = c.get('caller');
      const memories = () => exportMemories(deps, caller, c.req.valid('query'));
      const open = () => ReadableStream.from(whileSignedIn(deps, c, memories()));
      return c.body(await c.get('bounds').hold(caller.uid, 'exports', open), 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="memories.json"',
      });
    })
    .get('/:memoryId', requires('pro'), async (c) =>
      c.json({ memory: await showMemory(deps, c.get('caller'), c.req.param('memoryId')) }),
    )
    .patch('/:memoryId', requires('pro'), validate('json', memoryUpdate), async (c) => {
      const caller = c.get('caller');
      const memory = await getMemory(deps, caller, c.req.param('memoryId'));
      return c.json({ memory: toMemory(await updateMemory(deps, caller, memory, c.req.valid('json'))) });
    })
    .delete('/:memoryId', requires('pro'), async (c) => {
      const caller = c.get('caller');
      const { id } = await getMemory(deps, caller, c.req.param('memoryId'));
      await forgetMemories(deps, caller, [id]);
      return c.body(null, 204);
    })
    .delete('/', requires('pro'), validate('json', memoriesForget), async (c) =>
      c.json({ forgotten: await forgetMemories(deps, c.get('caller'), c.req.valid('json').ids) }),
    );
}
