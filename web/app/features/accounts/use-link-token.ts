import { useSyncExternalStore } from 'react';

const listen = (changed: () => void) => {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
};

/** The token of a mailed link, which stands behind # in the address; empty without one. */
export function useLinkToken(): string {
  return useSyncExternalStore(
    listen,
    () => window.location.hash.slice(1),
    () => '',
  );
}
