import { factSettingsUpdate, factsQuery, factUpdate } from '@atelier/contract/facts';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { forgetFact, getFact, listFacts, restoreFact, updateFact } from './facts.service.ts';
import { changeFactSettings, readFactSettings } from './settings.service.ts';

export function factsRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('pro'), validate('query', factsQuery), async (c) =>
      c.json(await listFacts(deps, c.get('caller'), c.req.valid('query'))),
    )
    .get('/export', requires('pro'), validate('query', factsQuery), async (c) => {
      const { facts } = await listFacts(deps, c.get('caller'), c.req.valid('query'));
      return c.body(JSON.stringify({ facts }, null, 2), 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="facts.json"',
      });
    })
    .get('/settings', requires('pro'), async (c) => c.json(await readFactSettings(deps, c.get('caller'))))
    .put('/settings', requires('pro'), validate('json', factSettingsUpdate), async (c) =>
      c.json(await changeFactSettings(deps, c.get('caller'), c.req.valid('json'))),
    )
    .patch('/:factId', requires('pro'), validate('json', factUpdate), async (c) => {
      const caller = c.get('caller');
      const fact = await getFact(deps, caller, c.req.param('factId'));
      return c.json({ fact: await updateFact(deps, caller, fact, c.req.valid('json')) });
    })
    .delete('/:factId', requires('pro'), async (c) => {
      const caller = c.get('caller');
      await forgetFact(deps, caller, await getFact(deps, caller, c.req.param('factId')));
      return c.body(null, 204);
    })
    .post('/:factId/restore', requires('pro'), async (c) =>
      c.json({ fact: await restoreFact(deps, c.get('caller'), c.req.param('factId')) }),
    );
}
