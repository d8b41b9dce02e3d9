import { z } from 'zod';
import { calls, get, post, put, under } from '../calls.ts';
import { instant } from '../ids.ts';
import { optionalReason } from './audit.ts';

/** How many models are offered or taken away at once. */
export const MODELS_AT_ONCE = 500;

/** A provider of models as an operator sees it: how it is, and what it lists. Nothing that people asked or models answered. */
export const modelProvider = z.object({
  name: z.string(),
  host: z.string(),
  /** Where it is set: by OPENAI_… variables, or in MODELS_FILE. */
  origin: z.enum(['environment', 'file']),
  /** Why its list of models could not be read when it was last asked for. */
  problem: z.string().nullable(),
  /** When it last answered, on whichever process. */
  answeredAt: instant.nullable(),
  /** How it last failed: what it answered, as numbers and names of programs. */
  failure: z
    .object({
      at: instant,
      status: z.number().int().nullable(),
      code: z.string().nullable(),
      type: z.string().nullable(),
    })
    .nullable(),
  models: z.array(
    z.object({
      /** Its name at the provider. */
      model: z.string(),
      /** Its id here. */
      id: z.string(),
      label: z.string(),
      offered: z.boolean(),
    }),
  ),
});
export type ModelProvider = z.infer<typeof modelProvider>;

export const providersAnswer = z.object({
  /** None where the built-in offline model answers. */
  providers: z.array(modelProvider),
  /** The model that answers for one that nobody has. */
  standIn: z.string().nullable(),
});

export const probeAnswer = z.object({
  works: z.boolean(),
  /** What works, or what is wrong and what to do. */
  about: z.string(),
});

/** Which models of a provider people may choose, by their names there. */
export const offerBody = z.strictObject({
  models: z.array(z.string().min(1).max(300)).min(1).max(MODELS_AT_ONCE),
  offered: z.boolean(),
  reason: optionalReason,
});

export const providersCalls = calls(under('/api/admin/providers', { who: 'operator' }), {
  list: get('', 'listProviders', 'The model providers, how each is, and what it lists.', { answer: providersAnswer }),
  probe: post('/:provider/probe', 'probeProvider', 'Asks a provider for its list, and one of its models for a word.', {
    rate: 'toolServers',
    answer: probeAnswer,
  }),
  offer: put('/:provider/models', 'offerModels', 'Offers models of a provider to people, or takes them away.', {
    body: offerBody,
    fails: ['conflict'],
  }),
});
