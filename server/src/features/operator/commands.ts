import type { Reply } from '../../platform/command-socket.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { printable } from '../../platform/printable.ts';
import { reportChangedTools } from '../mcp/operator/approve-changes.service.ts';
import { reportServers } from '../mcp/operator/operator-servers.service.ts';
import { listProviders, loadExclusions } from '../providers/providers.service.ts';
import type { ActsContext } from './account-acts.service.ts';
import { dismissByOperator, listLibrary, unpublishByOperator } from './library.service.ts';
import { changeOffer, decideTools, type OfferContext } from './offer.service.ts';

/** What was typed after the name of a command. */
export interface Typed {
  words: readonly string[];
  values: { [option: string]: string | undefined };
  reason: string;
}

/** A command: returns what it says of its success, or null where it doesn’t understand what was typed. */
export type Command<Ctx> = (ctx: Ctx, typed: Typed) => Promise<string | Reply | null>;
export type Commands<Ctx> = Readonly<Record<string, Command<Ctx>>>;

export const failed = (message: string): Reply => ({ ok: false, message });

/** A reply in place of a refusal; what is no refusal is thrown on. */
export const unless =
  (message: string) =>
  (error: unknown): Reply => {
    if (error instanceof AppError) return failed(message);
    throw error;
  };

/** As many as fit into a reply of the running server. */
const SHOWN = 20;

const actAt = (address: string, reason: string) => {
  const [creatorId = '', agentId = ''] = address.split(/\/(.*)/su, 2);
  return { actorId: null, creatorId, agentId, reason };
};
const noAgent = (address: string) => unless(`There is no public agent ${address}.`);

/** Commands about public agents. */
export const libraryCommands: Commands<ActsContext> = {
  library: (ctx, { words }) => report(ctx, words.join(' ')),
  'dismiss-reports': async (ctx, { words: [address, ...more], reason }) => {
    if (address === undefined || more.length > 0) return null;
    return dismissByOperator(ctx, actAt(address, reason)).then(
      (isDone) => (isDone ? 'The reports are closed.' : 'No report of this agent is open.'),
      noAgent(address),
    );
  },
  unpublish: async (ctx, { words: [address, ...more], reason }) => {
    if (address === undefined || more.length > 0 || reason === '') return null;
    return unpublishByOperator(ctx, actAt(address, reason)).then(
      () => 'The agent is private now; its author reads why.',
      noAgent(address),
    );
  },
};

async function report(ctx: ActsContext, words: string): Promise<string> {
  const search = words.trim();
  const { agents, nextCursor } = await listLibrary(ctx, { search, limit: SHOWN, cursor: undefined });
  if (agents.length === 0) return search === '' ? 'No public agent is reported.' : 'No public agent matches.';
  const lines = agents.map(({ creatorId, agentId, name, creatorName, creatorEmail, reportCount, reports }) => {
    const about = `${creatorId}/${agentId}  “${name}” by ${creatorName} <${creatorEmail}>, reports: ${reportCount}`;
    return [about, ...reports.map(({ at, kind, words: why }) => `  ${at}  ${kind}  ${why.replaceAll('\n', ' ')}`)];
  });
  const more = nextCursor === null ? [] : ['There are more: name words to find others.'];
  return printable([...lines.flat(), ...more].join('\n'));
}

type Context = OfferContext & Pick<Deps, 'operatorSources'>;

/** Commands about model providers and tool servers. */
export const providerCommands: Commands<Context> = {
  servers: async (ctx, { words }) => (words.length > 0 ? null : reportServers(ctx.operatorSources)),
  tools: async (ctx, { words }) => (words.length > 0 ? null : reportChangedTools(ctx)),
  models: async (ctx, { words }) => (words.length > 0 ? null : reportModels(ctx)),
  'models-off': async (ctx, { words, reason }) => (words.length === 0 ? null : offer(ctx, words, false, reason)),
  'models-on': async (ctx, { words, reason }) => (words.length === 0 ? null : offer(ctx, words, true, reason)),
  'tools-approve': (ctx, typed) => decide(ctx, typed, 'approve'),
  'tools-leave-off': async (ctx, typed) => (typed.reason === '' ? null : decide(ctx, typed, 'leave-off')),
};

async function decide(ctx: Context, { words, reason }: Typed, decision: 'approve' | 'leave-off') {
  const [server, code, ...more] = words;
  if (server === undefined || code === undefined || more.length > 0) return null;
  return decideTools(ctx, { actorId: null, reason }, { server, code, decision });
}

async function reportModels(ctx: OfferContext): Promise<string> {
  await ready(ctx);
  const { providers } = await listProviders(ctx);
  if (providers.length === 0) return 'No provider is configured: the built-in offline model answers.';
  return providers
    .map(({ name, problem, models }) =>
      [
        `${name}${problem === null ? '' : `: ${problem}`}`,
        ...models.map(({ id, offered }) => `  ${offered ? 'offered' : 'off    '}  ${id}`),
      ].join('\n'),
    )
    .join('\n\n');
}

/** A command beside the server has asked no provider yet. */
const ready = async (ctx: OfferContext): Promise<void> => {
  await ctx.models.refresh();
  await loadExclusions(ctx);
};

/** Offers models by their ids here, or takes them away. */
async function offer(ctx: OfferContext, ids: readonly string[], offered: boolean, reason: string) {
  await ready(ctx);
  const { providers } = await listProviders(ctx);
  const missing = ids.filter((id) => !providers.some(({ models }) => models.some((one) => one.id === id)));
  if (missing.length > 0) {
    return failed(`No provider has ${missing.join(', ')}. \`npm run admin -- models\` shows all.`);
  }
  const changed: string[] = [];
  for (const { name, models } of providers) {
    const own = models.filter(({ id }) => ids.includes(id)).map(({ model }) => model);
    if (own.length === 0) continue;
    changed.push(...(await changeOffer(ctx, { actorId: null, reason }, { provider: name, models: own, offered })));
  }
  const names = changed.join(', ');
  if (changed.length === 0) return offered ? 'They were offered already.' : 'They were taken away already.';
  return offered ? `Offered again: ${names}.` : `Taken away: ${names}.`;
}
