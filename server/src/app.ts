import { healthCalls } from '@atelier/contract/operator/health';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { v7 as uuidv7 } from 'uuid';
import { type AppEnv, createBounds, NOTHING_HERE, requires } from './access.ts';
import { findMisspelt } from './config.ts';
import { describeEnvironment } from './environment.ts';
import { type Auth, createAuth } from './features/accounts/accounts.auth.ts';
import { registerAccountJobs } from './features/accounts/accounts.jobs.ts';
import { isOperatorAccount } from './features/accounts/accounts.operators.service.ts';
import { accountsRoutes } from './features/accounts/accounts.routes.ts';
import { noteRefusal } from './features/accounts/activity/activity.service.ts';
import { photosRoutes } from './features/accounts/photos/photos.routes.ts';
import { agentsRoutes } from './features/agents/agents.routes.ts';
import { attachmentsRoutes } from './features/attachments/attachments.routes.ts';
import { registerAttachmentJobs } from './features/attachments/attachments.service.ts';
import { registerBillingJobs } from './features/billing/billing.reconcile.service.ts';
import { billingRoutes, sandboxRoutes, webhookRoutes } from './features/billing/billing.routes.ts';
import { boundsOf } from './features/budgets/budgets.service.ts';
import { registerContactJobs } from './features/contact/contact.delivery.service.ts';
import { contactRoutes } from './features/contact/contact.routes.ts';
import { agentMcpRoutes } from './features/endpoints/agent-mcp.routes.ts';
import { createAsk } from './features/endpoints/ask.service.ts';
import { openAiRoutes } from './features/endpoints/openai.routes.ts';
import { exploreRoutes } from './features/explore/explore.routes.ts';
import { registerFactJobs } from './features/facts/facts.jobs.ts';
import { factsRoutes } from './features/facts/facts.routes.ts';
import { favoritesRoutes } from './features/favorites/favorites.routes.ts';
import { registerFileJobs } from './features/files/file-jobs.service.ts';
import { filesRoutes } from './features/files/files.routes.ts';
import { forksRoutes } from './features/forks/forks.routes.ts';
import { keysRoutes } from './features/keys/keys.routes.ts';
import { findCaller, isDisabled } from './features/keys/keys.service.ts';
import { liveRoutes } from './features/live/live.routes.ts';
import { ConnectionKeeper } from './features/mcp/connection-keeper.ts';
import { mcpRoutes } from './features/mcp/mcp.routes.ts';
import { openOperatorServers } from './features/mcp/operator/operator-servers.service.ts';
import { serverContentsRoutes } from './features/mcp/server-contents.routes.ts';
import { registerMemoryJobs } from './features/memory/embed.service.ts';
import { createIndexClient } from './features/memory/index/worker-client.ts';
import { memoryRoutes } from './features/memory/memory.routes.ts';
import { adminRoutes } from './features/operator/admin.routes.ts';
import { measureBackups, registerBackupJobs } from './features/operator/daily-backup.service.ts';
import { measureInstallation } from './features/operator/figures.service.ts';
import { watchParts } from './features/operator/parts.ts';
import { promptsRoutes } from './features/prompts/prompts.routes.ts';
import { followExclusions } from './features/providers/providers.service.ts';
import { sendOrQueue } from './features/queue/add-queued.service.ts';
import { queueRoutes } from './features/queue/queue.routes.ts';
import { openQueues, type Queues } from './features/queue/send-queued.service.ts';
import { registerRemovalJobs } from './features/removal/delete-account.service.ts';
import { deleteAgent } from './features/removal/delete-agent.service.ts';
import { deleteSessions } from './features/removal/delete-session.service.ts';
import { removalRoutes } from './features/removal/removal.routes.ts';
import { registerRunJobs } from './features/runs/engine/after-answer.service.ts';
import { type Runner, startRunner } from './features/runs/engine/runner.ts';
import { runAgentTaskRoutes, runsRoutes } from './features/runs/runs.routes.ts';
import { type DepsWithRunner, STOPPING } from './features/runs/runs.start.service.ts';
import { searchRoutes } from './features/search/search.routes.ts';
import { foldersRoutes, sessionsRoutes } from './features/sessions/sessions.routes.ts';
import type { SessionKey } from './features/sessions/sessions.service.ts';
import { readAnnouncement, settingsRoutes } from './features/settings/settings.routes.ts';
import { followSettings } from './features/settings/settings.service.ts';
import { sharesRoutes } from './features/shares/shares.routes.ts';
import { toolsRoutes } from './features/tools/tools.routes.ts';
import { registerImportJobs } from './features/transfer/run-import.service.ts';
import {
  importsRoutes,
  ownDataRoutes,
  pastRoutes,
  sessionExportRoutes,
  transferRoutes,
} from './features/transfer/transfer.routes.ts';
import { usageRoutes } from './features/usage/usage.routes.ts';
import { OPERATIONS, SHAPES } from './operations/operations.ts';
import { createClientAddress } from './platform/client-address.ts';
import type { Deps } from './platform/deps.ts';
import { AppError } from './platform/errors.ts';
import { beginInTurns } from './platform/event-loop.ts';
import { docsPage } from './platform/http/docs-page.ts';
import { endUnread, forPrograms } from './platform/http/headers.ts';
import { createHealth, type Health } from './platform/http/health.ts';
import { answer, onError } from './platform/http/on-error.ts';
import { describeApi } from './platform/http/open-api.ts';
import { requireOwnOrigin } from './platform/http/origin.ts';
import { knowsOrigin, requestOrigin } from './platform/http/request-origin.ts';
import { refuseUnstorableAddress, refuseUnstorableBody } from './platform/http/storable.ts';
import { JSON_BODY_BYTES, limitBody, PROGRAM_BODY_BYTES } from './platform/http/validate.ts';
import { createMetrics, logsRequests, mayReadMetrics } from './platform/metrics.ts';
import { serve } from './serve.ts';
import { isWebBuilt, safeHeaders, webPages } from './web-pages.ts';

/** The addresses for programs, and all that answer with data. */
const PROGRAM_TREES = ['/v1/*', '/mcp/*'];
const TREES = ['/api/*', ...PROGRAM_TREES];

/** What lives as long as the process; the app's `stop` ends it. */
export const openProcess = (
  ctx: Pick<Deps, 'config' | 'db' | 'live' | 'log' | 'models'>,
  environment: Readonly<Record<string, string | undefined>>,
) => ({
  processId: uuidv7(),
  metrics: createMetrics(),
  memoryIndex: createIndexClient(),
  operatorSources: openOperatorServers(ctx, environment),
  ownConnections: new ConnectionKeeper({ each: 200, all: 200 }),
  fileReaders: { texts: 0, pictures: 0 },
  settings: followSettings(ctx),
  exclusions: followExclusions(ctx),
  variables: describeEnvironment(environment),
  surroundings: { misspelt: findMisspelt(environment), isWebBuilt: isWebBuilt() },
});

/** Gives each request its bounds and its caller, who is also known beside it to what is noted. */
function findsCaller(deps: Deps, auth: Auth): MiddlewareHandler<AppEnv> {
  const bounds = createBounds(deps.config.ACCOUNT_BOUNDS, boundsOf(deps.config).streams);
  return async (c, next) => {
    const { headers } = c.req.raw;
    c.set('bounds', bounds);
    c.set('findCaller', async () => {
      const caller = await findCaller(deps, auth, headers);
      const origin = requestOrigin.getStore();
      if (origin !== undefined && caller !== null) {
        origin.caller = { uid: caller.uid, signInId: caller.authSessionId, keyId: caller.key?.id };
      }
      return caller;
    });
    c.set('wasDisabled', () => isDisabled(deps, auth, headers));
    c.set('isOperator', (uid) => isOperatorAccount(deps, uid));
    await next();
  };
}

/** Describes the API on first request: few ask for it, and the start should not wait. */
function describer(app: Hono<AppEnv>, cookie: string) {
  let described: ReturnType<typeof describeApi> | undefined;
  return () => (described ??= describeApi(app, { operations: OPERATIONS, shapes: SHAPES, cookie }));
}

/** The whole server with given dependencies: every route, the one error handler, the runner and the job handlers. */
export async function createApp(deps: Deps) {
  const auth = createAuth(deps);
  await prepareFeatures(deps);
  const runner = await startRunner(deps);
  const queues = openQueues({ ...deps, runner });
  const app = new Hono<AppEnv>();
  const health = createHealth(deps.database, deps.log);
  app.onError(onError(deps.log, health.onOutage, noteRefusal(deps)));
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  app.use(deps.trust.watch, knowsOrigin(addressOf), safeHeaders(deps.config, deps.payments), endUnread);
  for (const tree of TREES) app.use(tree, beginInTurns(), forPrograms, health.refuseChanges);
  measureBackups(deps.config, deps.metrics);
  measureInstallation(deps);
  app.use(deps.metrics.middleware);
  if (deps.config.LOG_FORMAT === 'json') app.use(logsRequests(deps.log));
  app.use(refuseUnstorableAddress);
  app.use(findsCaller(deps, auth));

  const parts = watchParts(deps);
  mountHealth(app, deps, { health, runner, parts });
  const { api: meApi, authApi } = accountsRoutes(deps, auth);
  app.route('/', authApi);
  app.route('/', webhookRoutes(deps));
  for (const tree of TREES) app.use(tree, requireOwnOrigin(deps));
  app.route('/', filesRoutes(deps));
  app.route('/', attachmentsRoutes(deps));
  app.route('/', importsRoutes(deps));
  app.route('/', photosRoutes(deps));
  app.use('/api/*', limitBody(JSON_BODY_BYTES, ' A message can have at most 32,000 characters, a prompt 20,000.'));
  for (const tree of PROGRAM_TREES) app.use(tree, limitBody(PROGRAM_BODY_BYTES));
  for (const tree of TREES) app.use(tree, refuseUnstorableBody);
  app.route('/', meApi);
  mountFeatures(app, deps, runner, queues);
  app.route('/', adminRoutes(deps, parts));
  app.route('/', queueRoutes({ ...deps, runner }, queues));
  mountPrograms(app, { ...deps, runner });
  const spec = describer(app, (await auth.$context).authCookies.sessionToken.name);
  app.get('/api/openapi.json', requires('public'), (c) => c.json(spec()));
  app.get('/api/docs', requires('public'), (c) => c.html(docsPage(spec())));
  for (const tree of TREES) app.all(tree, requires('public'), nothingHere);
  app.get('*', requires('public'), webPages(deps.payments, deps.config.PUBLIC_URL, announces(deps)));
  return Object.assign(app, {
    runner,
    /** Sends what waited while no process ran. */
    resumeQueues: queues.sweep,
    /** Tries every part of the installation, and logs what is broken. */
    tryParts: parts.round,
    /** The API description, as `/api/openapi.json` answers it. */
    describe: spec,
    /** Starts no more answers and lets running ones finish, for at most this many milliseconds; everything else goes on. */
    drain: runner.drain,
    /** Ends everything; nothing in this app works afterwards. */
    stop: () => stopAll(deps, { runner, queues }),
  });
}

/** What goes on by itself until the app stops. */
interface Working {
  runner: Runner;
  queues: Queues;
}

/** A run that ends right now must not start the next message of a queue. */
async function stopAll(deps: Deps, { runner, queues }: Working): Promise<void> {
  deps.settings.stop();
  deps.exclusions.stop();
  queues.stop();
  await runner.stop();
  await deps.memoryIndex.stop();
  await Promise.all([...deps.operatorSources.map((source) => source.close()), deps.ownConnections.close()]);
}

/** What stands at the top of a page; where the settings can't be read, a page comes without. */
const announces = (deps: Deps) => async () => (await readAnnouncement(deps).catch(() => null))?.html ?? '';

const nothingHere = (c: Context) => answer(c, 'not_found', NOTHING_HERE);

/** The agents as endpoints of other programs. */
function mountPrograms(app: Hono<AppEnv>, deps: DepsWithRunner): void {
  const ask = createAsk(deps, (uid, sessionId) => deleteSessions(deps, uid, [sessionId]));
  app.route('/', openAiRoutes(deps, ask));
  app.route('/', agentMcpRoutes(deps, ask));
  // Clients ask whether there is a stream besides; there is none.
  app.all('/mcp/*', requires('public'), (c) => c.body(null, 405, { allow: 'POST' }));
}

interface Observed {
  health: Health;
  runner: Runner;
  parts: ReturnType<typeof watchParts>;
}

function mountHealth(app: Hono<AppEnv>, deps: Deps, { health, runner, parts }: Observed): void {
  const routes = serve(healthCalls, {
    alive: () => ({ status: 'alive' as const }),
    ready: async () => {
      if (runner.isDraining()) throw new AppError('unavailable', STOPPING, { retryAfterSeconds: 5 });
      await health.check();
      return { status: 'ready' as const, product: PRODUCT_NAME, degraded: parts.degraded() };
    },
    metrics: async ({ c }) => {
      if (!mayReadMetrics(deps, c)) {
        throw new AppError('forbidden', 'Metrics need METRICS_TOKEN as a bearer token.');
      }
      return c.body(await deps.metrics.text(), 200, { 'content-type': deps.metrics.contentType });
    },
  });
  app.route('/', routes);
}

/** Registers every feature's jobs, and reads what each process knows. */
async function prepareFeatures(deps: Deps): Promise<void> {
  registerAccountJobs(deps);
  registerRunJobs(deps);
  registerMemoryJobs(deps);
  registerFactJobs(deps);
  registerBillingJobs(deps);
  registerContactJobs(deps);
  registerRemovalJobs(deps);
  registerFileJobs(deps);
  registerAttachmentJobs(deps);
  registerImportJobs(deps);
  registerBackupJobs(deps);
  await deps.exclusions.now();
  // Read once here: the first message should not wait for them.
  await deps.settings.now().catch((error: unknown) => deps.log.error('settings.read', error));
}

/** The routes of every feature, each under its own path. */
function mountFeatures(app: Hono<AppEnv>, deps: Deps, runner: Runner, queues: Queues): void {
  const sendWaiting = (keys: SessionKey[]) => {
    for (const key of keys) void queues.moveOn(key);
  };
  app.route('/', agentsRoutes(deps));
  app.route('/', forksRoutes(deps));
  app.route('/', transferRoutes(deps));
  app.route('/', pastRoutes(deps, { sessions: deleteSessions, agent: deleteAgent }));
  app.route('/', exploreRoutes(deps));
  app.route('/', favoritesRoutes(deps));
  app.route('/', toolsRoutes(deps));
  app.route('/', mcpRoutes(deps));
  app.route('/', serverContentsRoutes(deps));
  app.route('/', keysRoutes(deps));
  app.route('/', promptsRoutes(deps));
  app.route('/', sessionsRoutes(deps, sendWaiting));
  app.route('/', sessionExportRoutes(deps));
  app.route('/', foldersRoutes(deps));
  const context = { ...deps, runner };
  app.route('/', runsRoutes(context, sendOrQueue.bind(null, context, queues)));
  app.route('/', runAgentTaskRoutes(context));
  app.route('/', billingRoutes(deps));
  app.route('/', sandboxRoutes(deps));
  app.route('/', memoryRoutes(deps));
  app.route('/', factsRoutes(deps));
  app.route('/', searchRoutes(deps));
  app.route('/', contactRoutes(deps));
  app.route('/', sharesRoutes(deps));
  app.route('/', usageRoutes(deps));
  app.route('/', ownDataRoutes(deps));
  app.route('/', removalRoutes(deps));
  app.route('/', liveRoutes(deps));
  app.route('/', settingsRoutes(deps));
}
