import type { Me, ModelInfo } from '@atelier/contract/accounts';
import { DEFAULT_MODEL, DEFAULT_MODELS } from '@atelier/contract/agents';
import { formatNumber } from '../../ui/formats.ts';

type Offer = Pick<Me, 'models' | 'excludedModels' | 'standIn'> | null | undefined;

/** The model of a new agent: the product's own where a provider has it, otherwise the one that stands in for it. */
export const defaultModel = (offer: Offer): string =>
  offer?.standIn && !offer.models.some(({ id }) => id === DEFAULT_MODEL) ? offer.standIn : DEFAULT_MODEL;

/** The models to choose from, and the agent's own if it is not among them. */
export function modelOptions(offer: Offer, current: string) {
  const listed = offer?.models ?? DEFAULT_MODELS.map((id) => ({ id, label: id }));
  const options = listed.map(({ id, label }) => ({ value: id, label }));
  return options.some(({ value }) => value === current) ? options : [...options, { value: current, label: current }];
}

/** What to know of the chosen model, in a line; undefined where there is nothing to say. */
export function modelHint(offer: Offer, chosen: string): string | undefined {
  if (isExcluded(offer, chosen))
    return `The operator has taken ${chosen} away. The agent doesn’t answer until you choose another model.`;
  if (!offer?.standIn) return undefined;
  const model = offer.models.find(({ id }) => id === chosen);
  return model === undefined
    ? `${chosen} is not offered here. ${offer.standIn} answers in its place.`
    : describe(model);
}

const describe = ({ contextTokens, tools, sight, hearing, reasoning }: ModelInfo): string =>
  [
    `Reads ${formatNumber(contextTokens, { notation: 'compact' })} tokens at once`,
    tools ? 'uses tools' : 'can’t use tools',
    ...(sight ? ['sees pictures'] : []),
    ...(hearing ? ['hears sounds'] : []),
    ...(reasoning ? ['thinks before it answers'] : []),
  ]
    .join(', ')
    .concat('.');

const isExcluded = (offer: Offer, model: string): boolean => offer?.excludedModels.includes(model) === true;

/** Whether an agent can be given the model: the product's own are accepted unless the operator has taken them away. */
export const isAccepted = (offer: Offer, model: string): boolean =>
  !isExcluded(offer, model) && [...DEFAULT_MODELS, ...(offer?.models.map(({ id }) => id) ?? [])].includes(model);

/** Whether the model takes the temperature that is set. */
export const takesTemperature = (offer: Offer, chosen: string): boolean =>
  offer?.models.find(({ id }) => id === chosen)?.temperature ?? true;
