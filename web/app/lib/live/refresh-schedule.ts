const MINUTE = 60_000;
/** A session is renewed this long before it ends. */
const REFRESH_AHEAD_MS = 5 * MINUTE;
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 16 * MINUTE;
/** Timers hold 31 bits of milliseconds; longer waits are split. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Milliseconds to wait after `failures` failed attempts in a row: 30 s doubling to 16 minutes. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LAST_RETRY_MS);
}

export interface RefreshPlan {
  /** When the session ends, in milliseconds since 1970. */
  expiresAt: number;
  now: number;
  /** Failed attempts in a row. */
  failures: number;
  /** When the session was last requested; a server that doesn't prolong it is not asked in a loop. */
  askedAt: number | null;
}

/** Milliseconds until the session should be requested again. */
export function nextRefresh({ expiresAt, now, failures, askedAt }: RefreshPlan): number {
  if (failures > 0) return retryDelay(failures);
  const due = expiresAt - REFRESH_AHEAD_MS - now;
  const floor = askedAt === null ? 0 : askedAt + FIRST_RETRY_MS - now;
  return Math.min(Math.max(due, floor, 0), TIMER_MAX_MS);
}

/**
 * Renews a session before it ends. `refresh` resolves with the new end, or null when the session is gone (then nothing more is planned),
 * and rejects without an answer (retried with growing pauses).
 */
export function createRefresher(refresh: () => Promise<number | null>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: { expiresAt: number; failures: number; askedAt: number | null } | null = null;

  function plan() {
    clearTimeout(timer);
    if (current === null) return;
    const state = current;
    timer = setTimeout(() => void run(state), nextRefresh({ ...state, now: Date.now() }));
  }

  async function run(state: NonNullable<typeof current>) {
    if (state.failures === 0 && state.expiresAt - REFRESH_AHEAD_MS > Date.now()) return plan();
    state.askedAt = Date.now();
    try {
      const expiresAt = await refresh();
      if (current !== state) return;
      if (expiresAt === null) return stop();
      current = { expiresAt, failures: 0, askedAt: Date.now() };
    } catch {
      if (current !== state) return;
      state.failures += 1;
    }
    plan();
  }

  function stop() {
    clearTimeout(timer);
    current = null;
  }

  return {
    /** Takes the end of a session, and plans its renewal. */
    follow(expiresAt: number) {
      if (current?.expiresAt === expiresAt) return;
      current = { expiresAt, failures: 0, askedAt: current?.askedAt ?? null };
      plan();
    },
    stop,
  };
}
