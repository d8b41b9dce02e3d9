import { mcpApprove, mcpServerCreate } from '@atelier/contract/mcp';
import { Hono, type MiddlewareHandler } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { addServer, approveServer, getServer, removeServer, toServer } from './mcp.service.ts';
import { listServers } from './server-tools.service.ts';

/** A server may answer slowly, so the number of requests at once is limited. */
const connects: MiddlewareHandler<AppEnv> = async (c, next) => {
  const leave = c.get('bounds').enter(c.get('caller').uid, 'toolServers');
  await next().finally(leave);
};

/** Mounted at /api/mcp-servers. */
export function mcpRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('pro'), async (c) =>
      c.json({ servers: (await listServers(deps, c.get('caller').uid)).map(toServer) }),
    )
    .post('/', requires('pro', 'toolServers'), connects, validate('json', mcpServerCreate), async (c) =>
      c.json({ server: toServer(await addServer(deps, c.get('caller'), c.req.valid('json'))) }, 201),
    )
    .post('/:serverId/approve', requires('pro', 'toolServers'), validate('json', mcpApprove), async (c) => {
      const server = await getServer(deps, c.get('caller'), c.req.param('serverId'));
      return c.json({ server: toServer(await approveServer(deps, server, c.req.valid('json'))) });
    })
    .delete('/:serverId', requires('pro'), async (c) => {
      await removeServer(deps, await getServer(deps, c.get('caller'), c.req.param('serverId')));
      return c.body(null, 204);
    });
}
