import { DEFAULT_MODELS } from '@atelier/contract/agents';
import { combineAbilities } from '../platform/models/catalogue/abilities.ts';
import type { ModelInfo, Models } from '../platform/models/models.ts';
import { extractSummary } from '../platform/models/session-summary.ts';

const infoOf = (id: string): ModelInfo => ({ ...combineAbilities(), id, label: id });

/** A model provider in the test's own process, whose answers the test gives itself. */
export const modelsThat = (stream: Models['stream']): Models => ({
  kind: 'openai-compatible',
  label: 'of a test',
  embedder: null,
  list: () => DEFAULT_MODELS.map(infoOf),
  resolve: infoOf,
  accepted: infoOf,
  measured: (_id, tokens) => tokens,
  standIn: () => null,
  priceOf: () => null,
  currency: 'USD',
  refresh: async () => {},
  providers: () => [],
  exclude: () => {},
  isExcluded: () => false,
  excluded: () => [],
  uses: new Map(),
  probe: async () => '',
  stream,
  summarise: async (input) => ({ text: extractSummary(input), kind: 'extractive' }),
  distil: async () => null,
  title: async ({ question }) => `About ${question}`.slice(0, 60),
});
