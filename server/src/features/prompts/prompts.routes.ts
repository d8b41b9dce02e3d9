import { promptCreate, promptUpdate } from '@atelier/contract/composer/prompts';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { createPrompt, deletePrompt, getPrompt, listPrompts, updatePrompt } from './prompts.service.ts';

/** Mounted at /api/prompts. */
export function promptsRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), async (c) => c.json({ prompts: await listPrompts(deps, c.get('caller')) }))
    .post('/', requires('user'), validate('json', promptCreate), async (c) =>
      c.json({ prompt: await createPrompt(deps, c.get('caller'), c.req.valid('json')) }, 201),
    )
    .patch('/:promptId', requires('user'), validate('json', promptUpdate), async (c) => {
      const prompt = await getPrompt(deps, c.get('caller'), c.req.param('promptId'));
      return c.json({ prompt: await updatePrompt(deps, prompt, c.req.valid('json')) });
    })
    .delete('/:promptId', requires('user'), async (c) => {
      await deletePrompt(deps, await getPrompt(deps, c.get('caller'), c.req.param('promptId')));
      return c.body(null, 204);
    });
}
