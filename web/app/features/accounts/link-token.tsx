import { useSyncExternalStore } from 'react';
import { Banner } from '../../ui/banner.tsx';

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

/** Says what to do when the address has no token. */
export const CutLink = () => (
  <Banner tone="warning" role="status">
    This page needs the whole link from your mail. Please copy all of it into the address bar.
  </Banner>
);
