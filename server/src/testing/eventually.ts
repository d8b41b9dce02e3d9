/**
 * After this long something hangs; that is no measure of speed. Readers of files give way to everything else, so beside eight busy
 * processes they get a fortieth of a processor.
 */
const HANGS_MS = 280_000;

/** Between two checks. The pauses grow, because each check takes processor time from what it waits for. */
const PAUSE_MS = { first: 10, longest: 250, growth: 1.5 };

/** Repeats a check until it passes, and returns what it does; fails with its last error when what it waits for does not come at all. */
export async function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  const until = Date.now() + HANGS_MS;
  for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * PAUSE_MS.growth, PAUSE_MS.longest)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
