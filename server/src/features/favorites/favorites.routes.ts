import { favoriteCalls } from '@atelier/contract/favorites';
import { createClientAddress } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { addFavorite, listFavorites, removeFavorite } from './favorites.service.ts';

export function favoritesRoutes(deps: Deps) {
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  return serve(favoriteCalls, {
    list: ({ caller, query }) => listFavorites(deps, caller, query),
    add: async ({ c, caller, params }) => ({ favorite: await addFavorite(deps, caller, params, addressOf(c)) }),
    remove: ({ caller, params }) => removeFavorite(deps, caller, params),
  });
}
