import { auditCalls } from '@atelier/contract/operator/audit';
import { peopleCalls } from '@atelier/contract/operator/people';
import { Hono } from 'hono';
import type { AppEnv, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { confirmOwner } from '../accounts/ways-in/confirm-owner.service.ts';
import type { AccountAct } from './account-acts.service.ts';
import { exportAudit, listAudit } from './audit.service.ts';
import { actOnPerson, deletePerson, listPeople, readPerson } from './people.service.ts';

const auditRoutes = (deps: Deps) =>
  serve(auditCalls, {
    list: ({ query }) => listAudit(deps, query),
    export: ({ c, caller, query }) =>
      c.get('bounds').hold(caller.uid, 'exports', async () =>
        c.body(ReadableStream.from(whileSignedIn(deps, c, exportAudit(deps, caller.uid, query))), 200, {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': asDownload(`audit-log-${new Date().toISOString().slice(0, 10)}.jsonl`),
        }),
      ),
  });

const peopleRoutes = (deps: Deps) => {
  type Request = { caller: Caller; params: { accountId: string }; body: { reason: string } };
  /** An act on somebody else's account, once the operator has proved to be it: a session left open somewhere does not suffice. */
  const begin = async ({ caller, params, body }: Request): Promise<AccountAct> => {
    await confirmOwner(deps, caller);
    return { actorId: caller.uid, userId: params.accountId, reason: body.reason };
  };
  return serve(peopleCalls, {
    list: ({ query }) => listPeople(deps, query),
    read: ({ caller, params }) => readPerson(deps, caller.uid, params.accountId),
    act: async (request) => actOnPerson(deps, await begin(request), request.body.act),
    delete: async (request) => deletePerson(deps, await begin(request), request.body.email),
  });
};

/** The operator's page. Nobody else finds any of these calls. */
export function adminRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.route('/', auditRoutes(deps));
  routes.route('/', peopleRoutes(deps));
  return routes;
}
