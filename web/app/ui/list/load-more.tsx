import { useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { useLatest } from './use-latest.ts';

/** A list that comes page by page. */
interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  /** The last attempt failed; the person starts the next one. */
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** The end of a list with more entries: loads more when it comes within a screen of being visible, and by its button. */
export function LoadMore({ list }: { list: PagedList }) {
  return list.hasNextPage ? <More list={list} /> : null;
}

function More({
  list: { isFetchingNextPage: loading, isFetchNextPageError: failed, fetchNextPage },
}: {
  list: PagedList;
}) {
  const onMore = () => void fetchNextPage();
  const mark = useRef<HTMLDivElement>(null);
  const more = useLatest(onMore);
  const armed = !loading && !failed;
  useEffect(() => {
    if (!armed || !mark.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && more.current(), {
      // The page scrolls inside its frame, and a margin counts only for the scrolling box.
      root: mark.current.closest('main'),
      rootMargin: '0px 0px 100%',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [armed, more]);
  return (
    <div ref={mark} className="flex justify-center py-2">
      <Button loading={loading} onClick={onMore}>
        {failed ? 'Try again' : 'Show more'}
      </Button>
    </div>
  );
}
