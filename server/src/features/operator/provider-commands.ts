import type { Reply } from '../../platform/command-socket.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { reportChangedTools } from '../mcp/operator/approve-changes.service.ts';
import { reportServers } from '../mcp/operator/operator-servers.service.ts';
import { listProviders, loadExclusions } from '../providers/providers.service.ts';
import { changeOffer, decideTools, type OfferContext } from './offer.service.ts';

interface Command {
  command: string | undefined;
  /** The first word after the command. */
  email: string | undefined;
  rest: string[];
  reason: string;
}

type Context = OfferContext & Pick<Deps, 'operatorLinks'>;

/** Runs a command about model providers or tool servers; null for any other command, `usage` for one that isn't understood. */
export async function runProviderCommand(ctx: Context, parsed: Command): Promise<Reply | 'usage' | null> {
  const { command, email: word, rest, reason } = parsed;
  if (command === 'servers') return word === undefined ? success(await reportServers(ctx.operatorLinks)) : 'usage';
  if (command === 'tools') return word === undefined ? success(await reportChangedTools(ctx)) : 'usage';
  if (command === 'models') return word === undefined ? success(await reportModels(ctx)) : 'usage';
  if (command === 'models-off' || command === 'models-on') {
    return word === undefined ? 'usage' : offer(ctx, [word, ...rest], command === 'models-on', reason);
  }
  if (command !== 'tools-approve' && command !== 'tools-leave-off') return null;
  const [code, ...more] = rest;
  if (word === undefined || code === undefined || more.length > 0) return 'usage';
  const decision = command === 'tools-approve' ? 'approve' : 'leave-off';
  if (decision === 'leave-off' && reason === '') return 'usage';
  return decideTools(ctx, { actorId: null, reason }, { server: word, code, decision });
}

const success = (message: string): Reply => ({ ok: true, message });

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
async function offer(ctx: OfferContext, ids: string[], offered: boolean, reason: string): Promise<Reply> {
  await ready(ctx);
  const { providers } = await listProviders(ctx);
  const missing = ids.filter((id) => !providers.some(({ models }) => models.some((one) => one.id === id)));
  if (missing.length > 0) {
    return { ok: false, message: `No provider has ${missing.join(', ')}. \`npm run admin -- models\` shows all.` };
  }
  const changed: string[] = [];
  try {
    for (const { name, models } of providers) {
      const own = models.filter(({ id }) => ids.includes(id)).map(({ model }) => model);
      if (own.length === 0) continue;
      changed.push(...(await changeOffer(ctx, { actorId: null, reason }, { provider: name, models: own, offered })));
    }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message };
    throw error;
  }
  const names = changed.join(', ');
  if (changed.length === 0) return success(offered ? 'They were offered already.' : 'They were taken away already.');
  return success(offered ? `Offered again: ${names}.` : `Taken away: ${names}.`);
}
