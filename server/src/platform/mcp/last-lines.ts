/** Node writes some twenty lines below the one that says what is wrong. */
const LINES_MAX = 30;
const LINE_MAX = 300;
const KEPT_CHARS = LINES_MAX * LINE_MAX;

/** Keeps the last lines of a stream, whatever it sends. */
export function lastLines() {
  let tail = '';
  const decoder = new TextDecoder();
  return {
    add(chunk: Uint8Array): void {
      // Only the end of a large piece can be shown.
      const text = decoder.decode(chunk.subarray(Math.max(0, chunk.length - 4 * KEPT_CHARS)), { stream: true });
      tail = (tail + text).slice(-KEPT_CHARS);
    },
    lines(): string[] {
      const written = tail.split('\n').map((line) => line.trim());
      return written.filter((line) => line !== '').slice(-LINES_MAX);
    },
  };
}
