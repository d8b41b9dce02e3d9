import { providersCalls } from '@atelier/contract/operator/providers';
import { operatorServersCalls } from '@atelier/contract/operator/tool-servers';
import { Hono } from 'hono';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { serve } from '../../serve.ts';
import { confirmOwner } from '../accounts/ways-in/confirm-owner.service.ts';
import { listOperatorServers } from '../mcp/operator/approve-changes.service.ts';
import { listProviders } from '../providers/providers.service.ts';
import { changeOffer, decideOnPage } from './offer.service.ts';
import { tryProvider } from './parts.ts';

/** The model providers and the tool servers of the installation, for operators. */
export function providersRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.route(
    '/',
    serve(providersCalls, {
      list: () => listProviders(deps),
      probe: ({ params }) => tryProvider(deps, params.provider),
      offer: async ({ caller, params, body: { reason, ...offer } }) => {
        await confirmOwner(deps, caller);
        await changeOffer(deps, { actorId: caller.uid, reason }, { ...params, ...offer });
      },
    }),
  );
  routes.route(
    '/',
    serve(operatorServersCalls, {
      list: () => listOperatorServers(deps),
      check: async ({ params }) => {
        const link = deps.operatorLinks.find(({ key }) => key === params.server);
        if (link === undefined) throw notFound('This server');
        const { state, tools, reason } = await link.check();
        return { state, tools, reason };
      },
      decide: async ({ caller, params, body: { reason, ...decision } }) => {
        await confirmOwner(deps, caller);
        await decideOnPage(deps, { actorId: caller.uid, reason }, { ...params, ...decision });
      },
    }),
  );
  return routes;
}
