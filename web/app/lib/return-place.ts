/** Where login and sign-up lead by default. */
const DEFAULT_PLACE = '/runtime';

/** What the guard stores in the history for the login and sign-up pages. */
export interface ReturnState {
  from?: string;
}

/**
 * Where to go after signing in: the remembered place if it is on this site, otherwise `/runtime`. The browser's own parser reads it,
 * because a history or link may be crafted.
 */
export function returnPlace(state: unknown, origin: string): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined;
  if (typeof from !== 'string' || !from.startsWith('/')) return DEFAULT_PLACE;
  const url = URL.canParse(from, origin) ? new URL(from, origin) : null;
  if (url === null || url.origin !== new URL(origin).origin) return DEFAULT_PLACE;
  const place = `${url.pathname}${url.search}${url.hash}`;
  // `/.//evil.example` has our origin, but its path alone would be read as another host.
  if (place.startsWith('//') || /^\/(login|signup)\/?$/u.test(url.pathname)) return DEFAULT_PLACE;
  return place;
}
