import * as accounts from '@atelier/contract/accounts';
import * as activities from '@atelier/contract/accounts/activity';
import * as door from '@atelier/contract/accounts/door';
import * as invitations from '@atelier/contract/accounts/invitations';
import * as signIn from '@atelier/contract/accounts/sign-in';
import * as ways from '@atelier/contract/accounts/ways';
import * as agents from '@atelier/contract/agents';
import * as agentFiles from '@atelier/contract/agents/agent-file';
import * as attachments from '@atelier/contract/attachments/attachments';
import * as billing from '@atelier/contract/billing';
import { Call } from '@atelier/contract/calls';
import * as contact from '@atelier/contract/contact';
import * as agentTools from '@atelier/contract/endpoints/agent-tools';
import * as openai from '@atelier/contract/endpoints/openai';
import * as errors from '@atelier/contract/errors';
import * as explore from '@atelier/contract/explore';
import * as facts from '@atelier/contract/facts';
import * as favorites from '@atelier/contract/favorites';
import * as files from '@atelier/contract/files';
import * as forks from '@atelier/contract/forks';
import * as ids from '@atelier/contract/ids';
import * as keys from '@atelier/contract/keys';
import * as live from '@atelier/contract/live';
import * as mcp from '@atelier/contract/mcp';
import * as contents from '@atelier/contract/mcp/server-contents';
import * as memory from '@atelier/contract/memory';
import * as announcement from '@atelier/contract/operator/announcement';
import * as audit from '@atelier/contract/operator/audit';
import * as health from '@atelier/contract/operator/health';
import * as inbox from '@atelier/contract/operator/inbox';
import * as jobs from '@atelier/contract/operator/jobs';
import * as library from '@atelier/contract/operator/library';
import * as overview from '@atelier/contract/operator/overview';
import * as payments from '@atelier/contract/operator/payments';
import * as people from '@atelier/contract/operator/people';
import * as providers from '@atelier/contract/operator/providers';
import * as adminSettings from '@atelier/contract/operator/settings-calls';
import * as toolServers from '@atelier/contract/operator/tool-servers';
import * as prompts from '@atelier/contract/prompts';
import * as removal from '@atelier/contract/removal';
import * as runs from '@atelier/contract/runs';
import * as queue from '@atelier/contract/runs/queue';
import * as search from '@atelier/contract/search';
import * as why from '@atelier/contract/search/why-found';
import * as sessions from '@atelier/contract/sessions';
import * as folders from '@atelier/contract/sessions/folders';
import * as shares from '@atelier/contract/shares';
import * as tools from '@atelier/contract/tools';
import * as imports from '@atelier/contract/transfer/imports';
import * as past from '@atelier/contract/transfer/past';
import * as usage from '@atelier/contract/usage';
import { inBraces } from '../platform/http/open-api.ts';

/** Every schema that has a name: answers refer to it, and a generated client has it as a type. */
export const SHAPES: readonly object[] = [
  [
    accounts,
    activities,
    adminSettings,
    agentFiles,
    agentTools,
    agents,
    announcement,
    attachments,
    audit,
    billing,
    contact,
    door,
    errors,
    explore,
    facts,
    favorites,
    files,
    folders,
    forks,
    health,
    ids,
    imports,
    inbox,
    invitations,
    jobs,
    keys,
    library,
    live,
    mcp,
  ],
  [
    memory,
    openai,
    overview,
    past,
    payments,
    people,
    prompts,
    providers,
    queue,
    removal,
    runs,
    search,
    contents,
    sessions,
    shares,
    signIn,
    toolServers,
    tools,
    usage,
    ways,
    why,
  ],
].flat();

/** Every call by its method and path. A test fails for a route that is missing here. */
export const OPERATIONS: ReadonlyMap<string, Call> = new Map(
  SHAPES.flatMap((module) => Object.values(module))
    .flatMap((exported: unknown) => (typeof exported === 'object' && exported !== null ? Object.values(exported) : []))
    .filter((one) => one instanceof Call)
    .map((call) => [`${call.method} ${inBraces(call.path)}`, call]),
);
