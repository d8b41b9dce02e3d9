import { useEffect, useRef } from 'react';
import { Button } from '../button.tsx';

export interface LoadMoreProps {
  loading: boolean;
  /** The last attempt failed; the person starts the next one. */
  failed: boolean;
  onMore: () => void;
}

/** The end of a list with more entries: loads more when it comes within a screen of being visible, and by its button. */
export function LoadMore({ loading, failed, onMore }: LoadMoreProps) {
  const mark = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
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
  }, [armed]);
  return (
    <div ref={mark} className="flex justify-center py-2">
      <Button loading={loading} onClick={onMore}>
        {failed ? 'Try again' : 'Show more'}
      </Button>
    </div>
  );
}
