import { DEFAULT_MODELS } from '@atelier/contract/agents';
import { type Caller, mayUseTools, proRequired } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { knownTools } from '../tools/tools.service.ts';

/** Whether a provider has the model here. */
export const offersModel = (ctx: Deps, model: string) => ctx.models.list().some((m) => m.id === model);

/** Throws 400 for a model that is not offered here. */
export function checkModel(ctx: Deps, model: string) {
  // Ready agents name these two; where no provider has them, the stand-in answers.
  if (!offersModel(ctx, model) && !DEFAULT_MODELS.some((one) => one === model)) {
    throw new AppError('invalid_input', 'This model is not offered here.', { field: 'model' });
  }
}

/** Free users may keep the tools that an agent has, inactive; they can't add any. */
export async function checkTools(ctx: Deps, caller: Caller, asked: string[], kept: string[]) {
  const added = asked.filter((id) => !kept.includes(id));
  if (added.length === 0) return;
  if (!mayUseTools(caller.plan)) throw proRequired('Tool access');
  const known = await knownTools(ctx, caller.uid, added);
  if (added.some((id) => !known.has(id))) {
    throw new AppError('invalid_input', 'This tool is not installed.', { field: 'tools' });
  }
}
