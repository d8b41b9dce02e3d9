import { useEffect } from 'react';
import { createPath, useNavigation } from 'react-router';

const KEY = 'going-to';

/**
 * Runs inline before everything else. The router reloads the page that it is on when it can't load the script of the next one, as after an
 * update of the server: this goes on to the page that was asked for.
 */
export const goOnScript = `(()=>{try{const to=sessionStorage.getItem('${KEY}');sessionStorage.removeItem('${KEY}');if(to&&performance.getEntriesByType('navigation')[0].type==='reload')location.replace(to)}catch{}})()`;

/** Remembers where a navigation leads until it is there. */
export function useGoOn(): void {
  const { location } = useNavigation();
  const to = location && createPath(location);
  useEffect(() => {
    try {
      if (to === undefined) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, to);
    } catch {
      // Some private windows refuse storage; the person clicks once more.
    }
  }, [to]);
}
