import { mcpCalls } from '@atelier/contract/mcp';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { LOADS_NOTHING } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { addServer, approveServer, changeAccess, getServer, removeServer, toServer } from './mcp.service.ts';
import { listServers } from './mcp.table.ts';
import { endSignIn, startSignIn } from './sign-in.service.ts';

export const mcpRoutes = (deps: Deps) =>
  serve(mcpCalls, {
    list: async ({ caller }) => ({ servers: (await listServers(deps, caller.uid)).map(toServer) }),
    add: async ({ caller, body }) => ({ server: toServer(await addServer(deps, caller, body)) }),
    signedIn: ({ c }) => signedIn(deps, c),
    changeAccess: async ({ caller, params, body }) => {
      const server = await getServer(deps, caller, params.serverId);
      return { server: toServer(await changeAccess(deps, caller, server, body)) };
    },
    signIn: async ({ c, caller, params, body }) => {
      const server = await getServer(deps, caller, params.serverId);
      const { origin } = new URL(deps.config.PUBLIC_URL ?? c.req.url);
      return startSignIn(deps, caller, server, body, origin);
    },
    approve: async ({ caller, params, body }) => {
      const server = await getServer(deps, caller, params.serverId);
      return { server: toServer(await approveServer(deps, server, body)) };
    },
    remove: async ({ caller, params }) => removeServer(deps, await getServer(deps, caller, params.serverId)),
  });

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
