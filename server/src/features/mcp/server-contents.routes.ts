import { promptGet, resourceRead } from '@atelier/contract/composer/server-contents';
import { type Context, Hono } from 'hono';
import { type AppEnv, holdsPlace, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { getPrompt, listPrompts, listReadable, listResources, readResource } from './server-contents.service.ts';

/** A server may answer slowly, so the number of requests at once is limited. */
const connects = holdsPlace('serverContents');

/** Resources and prompts of tool servers, mounted at /api/mcp-servers. */
export function serverContentsRoutes(deps: Deps) {
  const asked = (c: Context<AppEnv>, serverId: string) => ({
    caller: c.get('caller'),
    serverId,
    signal: c.req.raw.signal,
  });
  const gate = requires('pro', 'serverContents');
  return new Hono<AppEnv>()
    .get('/readable', requires('pro'), async (c) => c.json({ servers: await listReadable(deps, c.get('caller')) }))
    .get('/:serverId/resources', gate, connects, async (c) =>
      c.json(await listResources(deps, asked(c, c.req.param('serverId')))),
    )
    .get('/:serverId/prompts', gate, connects, async (c) =>
      c.json(await listPrompts(deps, asked(c, c.req.param('serverId')))),
    )
    .post('/:serverId/resources/read', gate, connects, validate('json', resourceRead), async (c) =>
      c.json({ content: await readResource(deps, asked(c, c.req.param('serverId')), c.req.valid('json')) }),
    )
    .post('/:serverId/prompts/get', gate, connects, validate('json', promptGet), async (c) =>
      c.json({ content: await getPrompt(deps, asked(c, c.req.param('serverId')), c.req.valid('json')) }),
    );
}
