import { favoriteCalls } from '@atelier/contract/favorites';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { addFavorite, listFavorites, removeFavorite } from './favorites.service.ts';

export const favoritesRoutes = (deps: Deps) =>
  serve(favoriteCalls, {
    list: ({ caller, query }) => listFavorites(deps, caller, query),
    add: async ({ caller, params }) => ({ favorite: await addFavorite(deps, caller, params) }),
    remove: ({ caller, params }) => removeFavorite(deps, caller, params),
  });
