import { exportCalls } from '@atelier/contract/accounts';
import { agentFileCalls, agentFileOf } from '@atelier/contract/agents/agent-file';
import { sessionExportCalls } from '@atelier/contract/sessions';
import type { Deps } from '../../platform/deps.ts';
import { asDownload } from '../../platform/http/headers.ts';
import { serve } from '../../serve.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { getAgent, toAgent } from '../agents/agents.service.ts';
import { bytesOf } from '../files/uploads.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { importAgent } from './import-agents.service.ts';
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
