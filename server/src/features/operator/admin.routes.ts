import { auditCalls } from '@atelier/contract/operator/audit';
import { inboxCalls } from '@atelier/contract/operator/inbox';
import { jobsCalls } from '@atelier/contract/operator/jobs';
import { libraryCalls } from '@atelier/contract/operator/library';
import { overviewCalls } from '@atelier/contract/operator/overview';
import { paymentsCalls } from '@atelier/contract/operator/payments';
import { peopleCalls } from '@atelier/contract/operator/people';
import { providersCalls } from '@atelier/contract/operator/providers';
import { settingsCalls } from '@atelier/contract/operator/settings-calls';
import { operatorServersCalls } from '@atelier/contract/operator/tool-servers';
import { Hono } from 'hono';
import type { AppEnv, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { asDownload } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { confirmOwner } from '../accounts/ways-in/confirm-owner.service.ts';
import { askProvider, listPayments } from '../billing/billing.books.service.ts';
import { answerMessage, listInbox } from '../contact/contact.inbox.service.ts';
import { listOperatorServers } from '../mcp/operator/approve-changes.service.ts';
import { listProviders } from '../providers/providers.service.ts';
import { audit, exportAudit, listAudit } from './audit.service.ts';
import { listBackgroundJobs, removeJob, tryJobAgain } from './jobs.service.ts';
import { dismissByOperator, listLibrary, unpublishByOperator } from './library.service.ts';
import { changeOffer, decideTools } from './offer.service.ts';
import { createOverview, type PartStates } from './overview.service.ts';
import { tryProvider } from './parts.ts';
import { actOnPerson, deletePerson, listPeople, readPerson, rejectPerson } from './people.service.ts';
import {
  changeByOperator,
  endAsOperator,
  inviteOnPage,
  listInvitationsOnPage,
  readSettingsPage,
  requireReason,
} from './server-settings.service.ts';

/** Who acts, and why. */
type Prove = (caller: Caller, reason?: string) => Promise<{ actorId: string; reason: string }>;

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

const peopleRoutes = (deps: Deps, prove: Prove) => {
  type Request = { caller: Caller; params: { accountId: string }; body: { reason: string } };
  const begin = async ({ caller, params, body }: Request) => ({
    ...(await prove(caller, body.reason)),
    userId: params.accountId,
  });
  return serve(peopleCalls, {
    list: ({ query }) => listPeople(deps, query),
    read: ({ caller, params }) => readPerson(deps, caller.uid, params.accountId),
    act: async (request) => actOnPerson(deps, await begin(request), request.body.act),
    reject: async (request) => rejectPerson(deps, await begin(request)),
    delete: async (request) => deletePerson(deps, await begin(request), request.body.email),
  });
};

const libraryRoutes = (deps: Deps, prove: Prove) =>
  serve(libraryCalls, {
    list: ({ query }) => listLibrary(deps, query),
    dismiss: async ({ caller, params, body }) => {
      const isDone = await dismissByOperator(deps, { ...(await prove(caller, body.reason)), ...params });
      if (!isDone) throw new AppError('conflict', 'No report of this agent is open.');
    },
    unpublish: async ({ caller, params, body }) =>
      unpublishByOperator(deps, { ...(await prove(caller, body.reason)), ...params }),
  });

const inboxRoutes = (deps: Deps, prove: Prove) => {
  const answer = async (caller: Caller, id: string, reply: string | null, reason?: string) => {
    const act = { ...(await prove(caller, reason)), act: 'message_answered', about: id } as const;
    await answerMessage(deps, { id, reply }, (tx) => audit(deps, tx, act));
  };
  return serve(inboxCalls, {
    list: ({ query }) => listInbox(deps, query),
    reply: ({ caller, params, body }) => answer(caller, params.messageId, body.text),
    close: ({ caller, params, body }) => answer(caller, params.messageId, null, body.reason),
  });
};

const jobsRoutes = (deps: Deps, prove: Prove) =>
  serve(jobsCalls, {
    list: ({ query }) => listBackgroundJobs(deps, query),
    retry: async ({ caller, params, body }) => tryJobAgain(deps, { ...(await prove(caller, body.reason)), ...params }),
    delete: async ({ caller, params, body }) => removeJob(deps, { ...(await prove(caller, body.reason)), ...params }),
  });

const paymentsRoutes = (deps: Deps, prove: Prove) =>
  serve(paymentsCalls, {
    list: ({ query }) => listPayments(deps, query),
    ask: async ({ caller, params, body }) => {
      const act = { ...(await prove(caller, body.reason)), act: 'payment_asked', about: params.reference } as const;
      const payment = await askProvider(deps, params.reference, (subjectId) =>
        deps.db.transaction((tx) => audit(deps, tx, { ...act, subjectId })),
      );
      return { payment };
    },
  });

const providersRoutes = (deps: Deps, prove: Prove) =>
  serve(providersCalls, {
    list: () => listProviders(deps),
    probe: ({ params }) => tryProvider(deps, params.provider),
    offer: async ({ caller, params, body: { reason, ...offer } }) => {
      await changeOffer(deps, await prove(caller, reason), { ...params, ...offer });
    },
  });

const toolServersRoutes = (deps: Deps, prove: Prove) =>
  serve(operatorServersCalls, {
    list: () => listOperatorServers(deps),
    check: async ({ params }) => {
      const source = deps.operatorSources.find(({ key }) => key === params.server);
      if (source === undefined) throw notFound('This server');
      const { state, tools, reason } = await source.check();
      return { state, tools, reason };
    },
    decide: async ({ caller, params, body: { reason, ...decision } }) => {
      const { ok, message } = await decideTools(deps, await prove(caller, reason), { ...params, ...decision });
      if (!ok) throw new AppError('conflict', message);
    },
  });

const settingsRoutes = (deps: Deps, prove: Prove) =>
  serve(settingsCalls, {
    read: () => readSettingsPage(deps),
    change: async ({ caller, body: { reason, ...change } }) => {
      requireReason(change.changes, reason);
      await changeByOperator(deps, await prove(caller, reason), change);
      return readSettingsPage(deps);
    },
    invitations: async () => ({ invitations: await listInvitationsOnPage(deps) }),
    invite: async ({ caller, body: { reason, ...extent } }) => ({
      invitation: await inviteOnPage(deps, await prove(caller, reason), extent),
    }),
    endInvitation: async ({ caller, params, body }) =>
      endAsOperator(deps, await prove(caller, body.reason), params.invitationId),
  });

/** The operator's page. Nobody else finds any of these calls. */
export function adminRoutes(deps: Deps, parts: PartStates): Hono<AppEnv> {
  // A session left open somewhere does not suffice for an act.
  const prove: Prove = async (caller, reason = '') => {
    await confirmOwner(deps, caller);
    return { actorId: caller.uid, reason };
  };
  const routes = new Hono<AppEnv>();
  routes.route('/', serve(overviewCalls, { read: createOverview(deps, parts) }));
  routes.route('/', auditRoutes(deps));
  routes.route('/', peopleRoutes(deps, prove));
  routes.route('/', libraryRoutes(deps, prove));
  routes.route('/', inboxRoutes(deps, prove));
  routes.route('/', jobsRoutes(deps, prove));
  routes.route('/', paymentsRoutes(deps, prove));
  routes.route('/', providersRoutes(deps, prove));
  routes.route('/', toolServersRoutes(deps, prove));
  routes.route('/', settingsRoutes(deps, prove));
  return routes;
}
