import { SENTENCES } from '@atelier/contract/errors';
import { useCallback, useEffect, useRef } from 'react';
import { createPath, type Location, useBlocker, useLocation, useNavigation } from 'react-router';
import { toast } from '../ui/overlay/toast.tsx';
import { askToDiscard, hasUnsaved } from '../ui/overlay/unsaved.tsx';
import { drawerCloser } from '../ui/page/drawer-request.ts';
import { connection } from './live/connection.ts';
import { attempt } from './typed/words.ts';
import { dropWish } from './wishes.ts';

/** The page of an address: `/explore` and an agent above it are two. */
export function pageOf(pathname: string): string {
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  return rest.length === 0 ? first : `${first}/*`;
}

/** The pages that an address shows: below an agent there is the list. */
export const pagesAt = (pathname: string): string[] =>
  pageOf(pathname) === 'explore/*' ? ['explore', 'explore/*'] : [pageOf(pathname)];

type Place = Pick<Location, 'pathname' | 'search'>;

/** Where forms and dialogs belong: filters don't change it, another session does. */
export const placeOf = ({ pathname, search }: Place): string =>
  `${pathname} ${new URLSearchParams(search).get('sessionId') ?? ''}`;

/** Whether two addresses show the same forms. */
export const showsSameForms = (a: Place, b: Place): boolean => placeOf(a) === placeOf(b);

const GOING_TO = 'going-to';

/**
 * Runs inline before everything else. The router reloads the page that it is on when it can't load the script of the next one, as after an
 * update of the server: this goes on to the page that was asked for.
 */
export const goOnScript = `(()=>{try{const to=sessionStorage.getItem('${GOING_TO}');sessionStorage.removeItem('${GOING_TO}');if(to&&performance.getEntriesByType('navigation')[0].type==='reload')location.replace(to)}catch{}})()`;

/** Remembers where a navigation leads until it is there. */
function useGoOn(): void {
  const { location } = useNavigation();
  const to = location && createPath(location);
  useEffect(() => {
    // Some private windows refuse storage; the person clicks once more.
    attempt(() => (to === undefined ? sessionStorage.removeItem(GOING_TO) : sessionStorage.setItem(GOING_TO, to)));
  }, [to]);
}

/**
 * Blocks three kinds of navigation, because a router takes only one guard. Back with an open drawer closes that. Unsaved input: ask first. No connection: a page that was not open
 * before can't be loaded, and trying would replace this one, with its input, by the browser's error page. So that way is closed until the
 * connection is back, and the person is told. And a navigation that has to reload the page still arrives.
 */
export function NavigationGuard() {
  useGoOn();
  const { pathname } = useLocation();
  const visited = useRef(new Set<string>());
  useEffect(() => {
    for (const page of pagesAt(pathname)) visited.current.add(page);
  }, [pathname]);
  const isOutOfReach = useCallback(
    (to: Place) => connection.read() !== 'up' && !visited.current.has(pageOf(to.pathname)),
    [],
  );
  // A link in the drawer is no way back.
  const isBack = useRef(false);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    isBack.current = historyAction === 'POP';
    return (
      (isBack.current && drawerCloser() !== undefined) ||
      isOutOfReach(nextLocation) ||
      (hasUnsaved() && !showsSameForms(currentLocation, nextLocation))
    );
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    const { proceed, reset } = blocker;
    // What was wished for there would come up whenever somebody goes there next.
    const stay = () => {
      dropWish();
      reset();
    };
    const closeDrawer = isBack.current ? drawerCloser() : undefined;
    if (closeDrawer !== undefined) {
      reset();
      closeDrawer();
    } else if (isOutOfReach(blocker.location)) {
      stay();
      connection.suspect();
      toast.warning(SENTENCES.unvisitedPage);
    } else if (hasUnsaved()) askToDiscard(proceed, stay);
    // The form disappeared meanwhile, with its page.
    else proceed();
  }, [blocker, isOutOfReach]);
  return null;
}
