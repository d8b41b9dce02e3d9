import type { Deps } from '../../platform/deps.ts';
import { reportChangedTools } from '../mcp/operator/approve-changes.service.ts';
import { reportServers } from '../mcp/operator/operator-servers.service.ts';
import { listProviders, loadExclusions } from '../providers/providers.service.ts';
import { type Commands, failed, type Typed } from './commands.ts';
import { changeOffer, decideTools, type OfferContext } from './offer.service.ts';

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
