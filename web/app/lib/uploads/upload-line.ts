import { noticeRefusal } from '../query.ts';

/** The uploads that wait or run, by an id of the page's own. */
const stops = new Map<string, AbortController>();
/** One after another: the network is the bottleneck, and each picture takes memory. */
let last: Promise<void> = Promise.resolve();

export const isUploading = (id: string): boolean => stops.has(id);

/** Ends these uploads, or all, without a word. */
export function stopUploads(ids: Iterable<string> = stops.keys()): void {
  for (const id of ids) stops.get(id)?.abort();
}

/** Sends a file once those before it are through. `failed` is given why it could not be sent, or undefined when it was stopped. */
export function startUpload(
  id: string,
  send: (signal: AbortSignal) => Promise<void>,
  failed: (error?: unknown) => void,
): void {
  const stop = new AbortController();
  const { signal } = stop;
  stops.set(id, stop);
  last = last.then(async () => {
    try {
      signal.throwIfAborted();
      await send(signal);
    } catch (error) {
      await noticeRefusal(error);
      failed(signal.aborted ? undefined : error);
    } finally {
      stops.delete(id);
    }
  });
}
