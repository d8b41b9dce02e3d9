import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';

export interface LoadMoreProps {
  loading: boolean;
  /** The last attempt failed: the next one is the person's to start. */
  failed: boolean;
  onMore: () => void;
}

/** The end of a list that goes on: asks for more when it comes within a screen of being seen, and by its button. */
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
      // The page scrolls inside its frame, and a margin counts only for the box that scrolls.
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
