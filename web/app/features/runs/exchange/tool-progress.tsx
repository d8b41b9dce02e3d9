import type { ToolCall } from '@atelier/contract/tools';
import { useEffect, useState } from 'react';

/** A shorter call needs no clock. */
const SHOWN_AFTER_S = 2;

/** How long a call has been working, and how far it is by its server's own count. */
export function ToolProgress({ call }: { call: ToolCall }) {
  const seconds = useSeconds();
  const { progress } = call;
  if (progress === undefined && seconds < SHOWN_AFTER_S) return null;
  const { done = 0, total, message } = progress ?? {};
  const share = total !== undefined && total > 0 ? Math.min(1, Math.max(0, done / total)) : undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-2 py-1 text-muted text-sm">
      {share !== undefined && (
        <span
          role="progressbar"
          aria-label="Progress"
          aria-valuenow={Math.round(share * 100)}
          className="block h-2 w-32 overflow-hidden rounded-full border border-edge bg-sunken"
        >
          <span className="block h-full bg-ink" style={{ width: `${share * 100}%` }} />
        </span>
      )}
      {share !== undefined && <span className="font-mono text-xs">{Math.round(share * 100)} %</span>}
      {message !== undefined && <span className="min-w-0 [overflow-wrap:anywhere]">{message}</span>}
      <span className="font-mono text-xs">{clock(seconds)}</span>
    </div>
  );
}

const clock = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;

/** Seconds since this was first shown: the server's clock may differ from this one. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - begun) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
