import { useEffect, useRef } from 'react';
import { useLatest } from '../../ui/list/use-latest.ts';

/** Calls `onEnd` after `milliseconds`; the countdown pauses while `held`. */
export function useCountdown(milliseconds: number, held: boolean, onEnd: () => void): void {
  const left = useRef(milliseconds);
  const end = useLatest(onEnd);
  useEffect(() => {
    if (held) return;
    const begun = performance.now();
    const timer = setTimeout(() => end.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(0, left.current - (performance.now() - begun));
    };
  }, [held, end]);
}
