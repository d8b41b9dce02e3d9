import { searchCalls } from '@atelier/contract/search';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { search } from './search.service.ts';

export const searchRoutes = (deps: Deps) =>
  serve(searchCalls, { search: async ({ caller, query }) => search(deps, caller, query) });
