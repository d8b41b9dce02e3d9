import { memoryCalls } from '@atelier/contract/memory';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { embeddingProgress } from './embed.service.ts';
import { listMemories } from './list.service.ts';
import { exportMemories, forgetMemories, getMemory, showMemory, toMemory, updateMemory } from './manage.service.ts';

export const memoryRoutes = (deps: Deps) =>
  serve(memoryCalls, {
    list: async ({ caller, query }) => {
      const { rows, ...rest } = await listMemories(deps, caller, query);
      return { memories: rows.map(({ row, why }) => ({ ...toMemory(row), ...(why && { why }) })), ...rest };
    },
    status: async ({ caller }) => ({ embedding: await embeddingProgress(deps, caller) }),
    export: ({ c, caller, query }) =>
      c.get('bounds').hold(caller.uid, 'exports', async () =>
        c.body(ReadableStream.from(whileSignedIn(deps, c, exportMemories(deps, caller, query))), 200, {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': 'attachment; filename="memories.json"',
        }),
      ),
    get: async ({ caller, params }) => ({ memory: await showMemory(deps, caller, params.memoryId) }),
    update: async ({ caller, params, body }) => {
      const memory = await getMemory(deps, caller, params.memoryId);
      return { memory: toMemory(await updateMemory(deps, caller, memory, body)) };
    },
    forget: async ({ caller, params }) => {
      const { id } = await getMemory(deps, caller, params.memoryId);
      await forgetMemories(deps, caller, [id]);
    },
    forgetMany: async ({ caller, body }) => ({ forgotten: await forgetMemories(deps, caller, body.ids) }),
  });
