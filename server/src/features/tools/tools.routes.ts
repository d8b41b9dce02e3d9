import { catalogueCalls } from '@atelier/contract/tools';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { listTools } from './tools.service.ts';

export const toolsRoutes = (deps: Deps) =>
  serve(catalogueCalls, { list: async ({ caller }) => ({ tools: await listTools(deps, caller.uid) }) });
