interface Waiting {
  start: () => void;
  before: number;
}

/** The owner whose first in line had least before; of several, the one that comes first. */
function findNext(lines: Map<string, Waiting[]>, busy: Set<string>): string | undefined {
  let [next, least] = [undefined as string | undefined, Number.POSITIVE_INFINITY];
  for (const [owner, [first]] of lines) {
    if (busy.has(owner) || first === undefined || first.before >= least) continue;
    [next, least] = [owner, first.before];
  }
  return next;
}

/**
 * Shares a few places fairly: an owner has at most one place at a time. A free place goes to the work that has had least `before`,
 * among those to the owner whose last turn is longest ago, however much others are waiting. An aborted signal leaves the queue and throws
 * its reason.
 */
export function createTurns(places: number) {
  const busy = new Set<string>();
  /** By owner, in the order of their turns. */
  const lines = new Map<string, Waiting[]>();

  function startNext(): void {
    for (let owner = findNext(lines, busy); owner && busy.size < places; owner = findNext(lines, busy)) {
      const line = lines.get(owner);
      const next = line?.shift();
      if (line?.length === 0) lines.delete(owner);
      busy.add(owner);
      next?.start();
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

  function enter(owner: string, signal: AbortSignal, before: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(owner) ?? [];
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { start, before };
      const leave = () => {
        line.splice(line.indexOf(waiting), 1);
        reject(signal.reason);
      };
      lines.set(owner, line);
      const at = line.findIndex((other) => other.before > before);
      line.splice(at === -1 ? line.length : at, 0, waiting);
      signal.addEventListener('abort', leave, { once: true });
      startNext();
    });
  }

  return {
    /** Runs the work when it is the owner's turn. */
    async take<T>(owner: string, signal: AbortSignal, work: () => Promise<T>, before = 0): Promise<T> {
      signal.throwIfAborted();
      await enter(owner, signal, before);
      try {
        return await work();
      } finally {
        giveBack(owner);
      }
    },
  };
}
