import { readConfig } from '../config.ts';
import { combineAbilities } from '../platform/models/catalogue/abilities.ts';
import { createModels } from '../platform/models/create-models.ts';
import type { ModelInfo, Models } from '../platform/models/models.ts';

const infoOf = (id: string): ModelInfo => ({ ...combineAbilities(), id, label: id });

/** A model provider in the test's own process, whose answers the test gives itself; beside them it is as the built-in one. */
export const modelsThat = (stream: Models['stream']): Models => ({
  ...createModels(readConfig({})),
  kind: 'openai-compatible',
  resolve: infoOf,
  accepted: infoOf,
  priceOf: () => null,
  stream,
  title: async ({ question }) => `About ${question}`.slice(0, 60),
});
