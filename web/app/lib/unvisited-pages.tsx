import { SENTENCES } from '@atelier/contract/errors';
import { useEffect, useRef } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { toast } from '../ui/toast.tsx';
import { connection } from './connection.ts';

/** Which page's code an address needs: `/explore` and one agent above it are two. */
export function pageOf(pathname: string): string {
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  return rest.length === 0 ? first : `${first}/*`;
}

/**
 * Without a connection a page that was not open before can't be fetched, and trying would leave this one, with what is typed in it,
 * for the browser's own error page. So the way there is closed until the connection is back, and the person is told.
 */
export function UnvisitedPages() {
  const { pathname } = useLocation();
  const visited = useRef(new Set<string>());
  useEffect(() => {
    visited.current.add(pageOf(pathname));
  }, [pathname]);
  const blocker = useBlocker(
    ({ nextLocation }) => connection.read() !== 'up' && !visited.current.has(pageOf(nextLocation.pathname)),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    blocker.reset();
    connection.suspect();
    toast.warning(SENTENCES.unvisitedPage);
  }, [blocker]);
  return null;
}
