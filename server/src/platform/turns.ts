/**
 * Shares a few places fairly: an owner has at most one place at a time, and a free place goes to the owner whose last turn is longest ago,
 * however much others are waiting. An aborted signal leaves the queue and throws its reason.
 */
export function createTurns(places: number) {
  const busy = new Set<string>();
  /** By owner, in the order of their turns. */
  const lines = new Map<string, (() => void)[]>();

  function startNext(): void {
    for (const [owner, line] of lines) {
      if (busy.size >= places) return;
      if (busy.has(owner)) continue;
      const next = line.shift();
      if (line.length === 0) lines.delete(owner);
      if (next === undefined) continue;
      busy.add(owner);
      next();
    }
  }

  function giveBack(owner: string): void {
    busy.delete(owner);
    // After a turn the owner goes to the end.
    const line = lines.get(owner);
    lines.delete(owner);
    if (line !== undefined) lines.set(owner, line);
    startNext();
  }

  function enter(owner: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(owner) ?? [];
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        line.splice(line.indexOf(start), 1);
        reject(signal.reason);
      };
      lines.set(owner, line);
      line.push(start);
      signal.addEventListener('abort', leave, { once: true });
      startNext();
    });
  }

  return {
    /** Runs the work when it is the owner's turn. */
    async take<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      await enter(owner, signal);
      try {
        return await work();
      } finally {
        giveBack(owner);
      }
    },
  };
}
