import type { Deps } from '../../platform/deps.ts';
import { decideChangedTools } from '../mcp/operator/approve-changes.service.ts';
import { offerModels } from '../providers/providers.service.ts';
import { type AuditDeps, audit } from './audit.service.ts';

export type OfferContext = AuditDeps & Pick<Deps, 'db' | 'models' | 'log'>;

/** Who decides, and why; nobody in particular for a command on the server's machine. */
interface By {
  actorId: string | null;
  reason: string;
}

type Offer = Parameters<typeof offerModels>[1];
type Decision = Parameters<typeof decideChangedTools>[1];

/** Offers models to people or takes them away, and writes it down; returns those that change. Throws as `offerModels` does. */
export const changeOffer = (ctx: OfferContext, by: By, offer: Offer): Promise<string[]> =>
  offerModels(ctx, offer, (tx, changed) => {
    const act = offer.offered ? 'models_offered' : 'models_taken_away';
    return audit(ctx, tx, { ...by, act, about: `${offer.provider}: ${changed.join(', ')}` });
  });

/** Approves changed tools of a server or leaves them off, and writes it down. */
export const decideTools = (ctx: OfferContext, by: By, decision: Decision) =>
  decideChangedTools(ctx, decision, (tx, names) => {
    const act = decision.decision === 'approve' ? 'tools_approved' : 'tools_left_off';
    return audit(ctx, tx, { ...by, act, about: `${decision.server}: ${names.join(', ')}` });
  });
