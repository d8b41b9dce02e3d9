export interface ReadOptions {
  /** What happens to pictures of text: they are recognized, which takes long; or only found, to be recognized later; or left out. */
  recognize: Recognize;
  /** The time at which no more text is recognized, in milliseconds. */
  until?: number;
  /** Tells how far a reader is, for people: `page 30 of 200`. */
  progress: (how: string) => void;
  /** Notes why text recognition or a library failed, for the log. */
  failed: Failed;
}
export type Failed = (error: unknown) => void;
export type Recognize = 'now' | 'later' | 'never';

/** `1–3, 7 and 9`: numbers in ascending order, for a sentence. */
export function rangesText(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return new Intl.ListFormat('en-GB').format(ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)));
}
