/** Notices of one topic are told at most this often. */
export const MERGE_MS = 250;
/** More things than this that changed in between are told as one notice without an id: all of the topic may have changed. */
const SINGLE_MAX = 5;

/** Passes ids on: the first at once, those that come within `MERGE_MS` of it together, each once; the last is never lost. */
export function mergeNotices(tell: (id: string) => void): { put(id: string): void; stop(): void } {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const ids = changed.size > SINGLE_MAX ? [''] : [...changed];
    changed.clear();
    timer = ids.length > 0 ? setTimeout(flush, MERGE_MS) : undefined;
    for (const id of ids) tell(id);
  };
  return {
    put(id) {
      changed.add(id);
      if (timer === undefined) flush();
    },
    stop: () => clearTimeout(timer),
  };
}
