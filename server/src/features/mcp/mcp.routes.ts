import { mcpAccess, mcpApprove, mcpServerCreate, mcpSignIn } from '@atelier/contract/mcp';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { type AppEnv, holdsPlace, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { LOADS_NOTHING } from '../../platform/http/headers.ts';
import { validate } from '../../platform/http/validate.ts';
import { addServer } from './add-server.service.ts';
import { listServers } from './mcp.queries.ts';
import { approveServer, getServer, removeServer, toServer } from './mcp.service.ts';
import { changeAccess } from './server-access.service.ts';
import { endSignIn, startSignIn } from './sign-in.service.ts';

/** A server may answer slowly, so the number of requests at once is limited. */
const connects = holdsPlace('toolServers');

/** Mounted at /api/mcp-servers. */
export function mcpRoutes(deps: Deps) {
  const site = (c: Context) => new URL(deps.config.PUBLIC_URL ?? c.req.url).origin;
  return new Hono<AppEnv>()
    .get('/', requires('pro'), async (c) =>
      c.json({ servers: (await listServers(deps, c.get('caller').uid)).map(toServer) }),
    )
    .post('/', requires('pro', 'toolServers'), connects, validate('json', mcpServerCreate), async (c) =>
      c.json({ server: toServer(await addServer(deps, c.get('caller'), c.req.valid('json'))) }, 201),
    )
    .get('/signed-in', requires('pro', 'toolServers'), connects, async (c) => signedIn(deps, c))
    .patch('/:serverId', requires('pro', 'toolServers'), connects, validate('json', mcpAccess), async (c) => {
      const server = await getServer(deps, c.get('caller'), c.req.param('serverId'));
      return c.json({ server: toServer(await changeAccess(deps, c.get('caller'), server, c.req.valid('json'))) });
    })
    .post('/:serverId/sign-in', requires('pro', 'toolServers'), connects, validate('json', mcpSignIn), async (c) => {
      const server = await getServer(deps, c.get('caller'), c.req.param('serverId'));
      return c.json(await startSignIn(deps, c.get('caller'), server, c.req.valid('json'), site(c)));
    })
    .post('/:serverId/approve', requires('pro', 'toolServers'), validate('json', mcpApprove), async (c) => {
      const server = await getServer(deps, c.get('caller'), c.req.param('serverId'));
      return c.json({ server: toServer(await approveServer(deps, server, c.req.valid('json'))) });
    })
    .delete('/:serverId', requires('pro'), async (c) => {
      await removeServer(deps, await getServer(deps, c.get('caller'), c.req.param('serverId')));
      return c.body(null, 204);
    });
}

/** The page that a sign-in service sends the person back to, in a tab of its own. */
async function signedIn(deps: Deps, c: Context<AppEnv>) {
  // Several `iss` are none that fits: an address to be sent back to may have one already, of a server's choice.
  const iss = c.req.queries('iss')?.join(' ');
  const came = { state: c.req.query('state') ?? '', code: c.req.query('code'), iss };
  // The address has the code, which no other page needs to know.
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Content-Security-Policy', `${LOADS_NOTHING}; style-src 'unsafe-inline'`);
  try {
    const name = await endSignIn(deps, c.get('caller'), came);
    return c.html(
      page(
        'Signed in',
        `You are signed in at “${name}”. Its tools are in the form of your agent now. You can close this tab.`,
      ),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return c.html(page('Not signed in', `${error.message} You can close this tab.`), 400);
  }
}

const page = (title: string, sentence: string) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} – Atelier</title>
    <style>
      body {
        font: 1rem / 1.5 system-ui, sans-serif;
        max-width: 36rem;
        margin: 15vh auto;
        padding: 0 1.5rem;
      }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    <p>${sentence}</p>
  </body>
</html>`;
