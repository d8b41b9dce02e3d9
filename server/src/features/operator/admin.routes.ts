import { auditCalls } from '@atelier/contract/operator/audit';
import { inboxCalls } from '@atelier/contract/operator/inbox';
import { jobsCalls } from '@atelier/contract/operator/jobs';
import { libraryCalls } from '@atelier/contract/operator/library';
import { overviewCalls } from '@atelier/contract/operator/overview';
import { paymentsCalls } from '@atelier/contract/operator/payments';
import { peopleCalls } from '@atelier/contract/operator/people';
import { settingsCalls } from '@atelier/contract/operator/settings-calls';
import { Hono } from 'hono';
import type { AppEnv, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { confirmOwner } from '../accounts/ways-in/confirm-owner.service.ts';
import { askProvider, listPayments } from '../billing/billing.books.service.ts';
import { answerMessage, listInbox } from '../contact/contact.inbox.service.ts';
import type { AccountAct } from './account-acts.service.ts';
import { audit, exportAudit, listAudit } from './audit.service.ts';
import { listBackgroundJobs, removeJob, tryJobAgain } from './jobs.service.ts';
import { dismissOnPage, listLibrary, unpublishOnPage } from './library.service.ts';
import { createOverview, type KnownParts } from './overview.service.ts';
import { actOnPerson, deletePerson, listPeople, readPerson, rejectPerson } from './people.service.ts';
import { providersRoutes } from './providers.routes.ts';
import {
  changeByOperator,
  endAsOperator,
  inviteOnPage,
  listInvitationsOnPage,
  readSettingsPage,
  requireReason,
} from './server-settings.service.ts';

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
    reject: async (request) => rejectPerson(deps, await begin(request)),
    delete: async (request) => deletePerson(deps, await begin(request), request.body.email),
  });
};

const libraryRoutes = (deps: Deps) =>
  serve(libraryCalls, {
    list: ({ query }) => listLibrary(deps, query),
    dismiss: async ({ caller, params, body }) => {
      await confirmOwner(deps, caller);
      await dismissOnPage(deps, caller.uid, params, body.reason);
    },
    unpublish: async ({ caller, params, body }) => {
      await confirmOwner(deps, caller);
      await unpublishOnPage(deps, caller.uid, params, body.reason);
    },
  });

const inboxRoutes = (deps: Deps) => {
  const answer = async (
    caller: Caller,
    id: string,
    { reply = null, reason = '' }: { reply?: string | null; reason?: string },
  ) => {
    await confirmOwner(deps, caller);
    const act = { actorId: caller.uid, act: 'message_answered', about: id, reason } as const;
    await answerMessage(deps, { id, reply }, (tx) => audit(deps, tx, act));
  };
  return serve(inboxCalls, {
    list: ({ query }) => listInbox(deps, query),
    reply: ({ caller, params, body }) => answer(caller, params.messageId, { reply: body.text }),
    close: ({ caller, params, body }) => answer(caller, params.messageId, body),
  });
};

const jobsRoutes = (deps: Deps) =>
  serve(jobsCalls, {
    list: ({ query }) => listBackgroundJobs(deps, query),
    retry: async ({ caller, params, body }) => {
      await confirmOwner(deps, caller);
      await tryJobAgain(deps, { actorId: caller.uid, ...params, ...body });
    },
    delete: async ({ caller, params, body }) => {
      await confirmOwner(deps, caller);
      await removeJob(deps, { actorId: caller.uid, ...params, ...body });
    },
  });

const paymentsRoutes = (deps: Deps) =>
  serve(paymentsCalls, {
    list: ({ query }) => listPayments(deps, query),
    ask: async ({ caller, params, body }) => {
      await confirmOwner(deps, caller);
      const act = { actorId: caller.uid, act: 'payment_asked', about: params.reference, ...body } as const;
      const payment = await askProvider(deps, params.reference, (subjectId) =>
        deps.db.transaction((tx) => audit(deps, tx, { ...act, subjectId })),
      );
      return { payment };
    },
  });

const settingsRoutes = (deps: Deps) => {
  const by = async (caller: Caller, reason: string) => {
    await confirmOwner(deps, caller);
    return { actorId: caller.uid, reason };
  };
  return serve(settingsCalls, {
    read: () => readSettingsPage(deps),
    change: async ({ caller, body: { reason, ...change } }) => {
      requireReason(change.changes, reason);
      await changeByOperator(deps, await by(caller, reason), change);
      return readSettingsPage(deps);
    },
    invitations: async () => ({ invitations: await listInvitationsOnPage(deps) }),
    invite: async ({ caller, body: { reason, ...extent } }) => ({
      invitation: await inviteOnPage(deps, await by(caller, reason), extent),
    }),
    endInvitation: async ({ caller, params, body }) =>
      endAsOperator(deps, await by(caller, body.reason), params.invitationId),
  });
};

/** The operator's page. Nobody else finds any of these calls. */
export function adminRoutes(deps: Deps, parts: KnownParts): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.route('/', serve(overviewCalls, { read: createOverview(deps, parts) }));
  routes.route('/', auditRoutes(deps));
  routes.route('/', peopleRoutes(deps));
  routes.route('/', libraryRoutes(deps));
  routes.route('/', inboxRoutes(deps));
  routes.route('/', jobsRoutes(deps));
  routes.route('/', paymentsRoutes(deps));
  routes.route('/', providersRoutes(deps));
  routes.route('/', settingsRoutes(deps));
  return routes;
}
