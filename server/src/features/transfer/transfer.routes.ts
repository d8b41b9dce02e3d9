import { exportCalls } from '@atelier/contract/accounts';
import { agentFileCalls, agentFileOf } from '@atelier/contract/agents/agent-file';
import { sessionExportCalls } from '@atelier/contract/sessions';
import { IMPORT_LIMITS, IMPORT_SENTENCES, importCalls } from '@atelier/contract/transfer/imports';
import { pastCalls } from '@atelier/contract/transfer/past';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/headers.ts';
import type { Received } from '../../platform/http/upload.ts';
import { serve } from '../../serve.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { getAgent, toAgent } from '../agents/agents.service.ts';
import { bytesOf, withUpload } from '../files/uploads.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { importAgent } from './import-agents.service.ts';
import {
  discardImport,
  endImport,
  findLatestImport,
  getImport,
  receiveArchive,
  startImport,
  toImport,
} from './imports.service.ts';
import { choosePast, readPast } from './other-programs/choose.service.ts';
import { type Deletion, undoImport } from './other-programs/undo.service.ts';
import { exportAccount } from './own-data.service.ts';
import { exportSession } from './session-export.service.ts';

const TYPES = { md: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** Agents as files. */
export const transferRoutes = (deps: Deps) =>
  serve(agentFileCalls, {
    export: async ({ c, caller, params }) => {
      const agent = await getAgent(deps.db, caller.uid, params.agentId);
      // The address may hold any letter; a header may not, so the name stands there encoded (RFC 8187).
      const name = encodeURIComponent(`${agent.slug}.agent.json`).replaceAll("'", '%27').replaceAll('*', '%2A');
      return c.body(`${JSON.stringify(agentFileOf(agent), null, 2)}\n`, 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="agent.json"; filename*=UTF-8''${name}`,
      });
    },
    import: async ({ caller, body }) => {
      const { agent, notes } = await importAgent(deps, caller, body);
      return { agent: toAgent(agent), notes };
    },
  });

/** A whole account as an archive. */
export const ownDataRoutes = (deps: Deps) =>
  serve(exportCalls, {
    export: ({ c, caller }) =>
      c.get('bounds').hold(
        caller.uid,
        'exports',
        async () => {
          await noteActivity(deps, caller.uid, 'data_exported');
          return c.body(ReadableStream.from(whileSignedIn(deps, c, exportAccount(deps, caller))), 200, {
            'content-type': 'application/zip',
            'content-disposition': `attachment; filename="atelier-export-${new Date().toISOString().slice(0, 10)}.zip"`,
          });
        },
        () => bytesOf(deps.db, caller.uid),
      ),
  });

/** Sessions as files. */
export const sessionExportRoutes = (deps: Deps) =>
  serve(sessionExportCalls, {
    export: ({ c, caller, params, query: { format } }) =>
      c.get('bounds').hold(caller.uid, 'exports', async () => {
        const session = await getSession(deps.db, caller.uid, params.sessionId);
        return c.body(ReadableStream.from(whileSignedIn(deps, c, exportSession(deps, session, format))), 200, {
          'content-type': TYPES[format],
          'content-disposition': asDownload(`${fileName(session.name)}.${format}`),
        });
      }),
  });

/** A name as a file name that every system can store. */
const fileName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]+/gu, '-')
    .replace(/^[. -]+/u, '')
    .slice(0, 80)
    .toWellFormed()
    .trim() || 'session';

const importOf = (deps: Deps, { caller, params }: { caller: Caller; params: { importId: string } }) =>
  getImport(deps.db, caller.uid, params.importId);

/** Whole accounts from archives; mounted before the limit of JSON bodies. */
export const importsRoutes = (deps: Deps) =>
  serve(importCalls, {
    latest: async ({ caller }) => {
      const row = await findLatestImport(deps.db, caller.uid);
      return { import: row && toImport(row) };
    },
    upload: async ({ c, caller }) => {
      const limit = { bytes: IMPORT_LIMITS.archive, tooLarge: IMPORT_SENTENCES.tooLarge };
      const receive = (received: Received) =>
        c.get('bounds').work(caller.uid, 'imports', () => receiveArchive(deps, caller, received));
      return { import: toImport(await withUpload(deps, c.req.raw, receive, limit)) };
    },
    start: async (request) => ({ import: toImport(await startImport(deps, await importOf(deps, request))) }),
    stop: async (request) => {
      const { userId, id } = await importOf(deps, request);
      await endImport(deps, { userId, importId: id }, { state: 'stopped' });
      return { import: toImport(await importOf(deps, request)) };
    },
    discard: async (request) => discardImport(deps, await importOf(deps, request)),
  });

/** Exports of other programs: what they hold, what of it is imported, and undoing that. */
export const pastRoutes = (deps: Deps, deletion: Deletion) =>
  serve(pastCalls, {
    read: async (request) => ({ past: await readPast(deps, await importOf(deps, request)) }),
    choose: async ({ body, ...request }) => ({
      import: toImport(await choosePast(deps, await importOf(deps, request), body)),
    }),
    undo: async (request) => ({ import: toImport(await undoImport(deps, deletion, await importOf(deps, request))) }),
  });
