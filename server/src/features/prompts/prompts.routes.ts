import { promptCalls } from '@atelier/contract/prompts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { createPrompt, deletePrompt, getPrompt, listPrompts, updatePrompt } from './prompts.service.ts';

export const promptsRoutes = (deps: Deps) =>
  serve(promptCalls, {
    list: async ({ caller }) => ({ prompts: await listPrompts(deps, caller) }),
    create: async ({ caller, body }) => ({ prompt: await createPrompt(deps, caller, body) }),
    update: async ({ caller, params, body }) => {
      const prompt = await getPrompt(deps, caller, params.promptId);
      return { prompt: await updatePrompt(deps, prompt, body) };
    },
    remove: async ({ caller, params }) => deletePrompt(deps, await getPrompt(deps, caller, params.promptId)),
  });
