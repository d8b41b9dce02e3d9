/** Repeats a check until it passes; fails with its last error when it has not within `ms`. */
export async function eventually(check: () => Promise<void> | void, ms = 15_000): Promise<void> {
  const until = Date.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
