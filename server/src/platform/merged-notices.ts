/** Notices of one topic are sent at most this often. */
export const MERGE_MS = 250;
/** More changes than this in between become one notice without an id: anything in the topic may have changed. */
const SINGLE_MAX = 5;

/** Passes ids on: the first at once, later ones within `MERGE_MS` together and each once. The last is never lost. */
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
