import { factCalls } from '@atelier/contract/facts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import {
  changeFactSettings,
  forgetFact,
  getFact,
  listFacts,
  readFactSettings,
  restoreFact,
  updateFact,
} from './facts.service.ts';

export const factsRoutes = (deps: Deps) =>
  serve(factCalls, {
    list: async ({ caller, query }) => listFacts(deps, caller, query),
    export: async ({ c, caller, query }) => {
      const { facts } = await listFacts(deps, caller, query);
      return c.body(JSON.stringify({ facts }, null, 2), 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="facts.json"',
      });
    },
    settings: async ({ caller }) => readFactSettings(deps, caller),
    changeSettings: async ({ caller, body }) => changeFactSettings(deps, caller, body),
    update: async ({ caller, params, body }) => {
      const fact = await getFact(deps, caller, params.factId);
      return { fact: await updateFact(deps, caller, fact, body) };
    },
    forget: async ({ caller, params }) => forgetFact(deps, caller, await getFact(deps, caller, params.factId)),
    restore: async ({ caller, params }) => ({ fact: await restoreFact(deps, caller, params.factId) }),
  });
