import { DEFAULT_MODELS } from '@atelier/contract/agents';
import { combineAbilities } from '../platform/models/catalogue/abilities.ts';
import type { ModelInfo, Models } from '../platform/models/models.ts';

const infoOf = (id: string): ModelInfo => ({ ...combineAbilities(), id, label: id });

/** The part of a model provider that names its models, for those whose answers a test gives itself. */
export const testCatalogue: Pick<
  Models,
  'list' | 'resolve' | 'standIn' | 'refresh' | 'priceOf' | 'currency' | 'providers' | 'probe'
> = {
  list: () => DEFAULT_MODELS.map(infoOf),
  resolve: infoOf,
  standIn: () => null,
  priceOf: () => null,
  currency: 'USD',
  refresh: async () => {},
  providers: () => [],
  probe: async () => '',
};
