import { DrizzleQueryError } from 'drizzle-orm';

/** One JSON line per event on stderr; never message texts, prompts, memories or secrets. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  error(event: string, error: unknown, fields?: Record<string, unknown>): void;
}

export function createLog(write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)): Log {
  const line = (level: string, event: string, fields: Record<string, unknown>) =>
    write(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }));
  return {
    info: (event, fields = {}) => line('info', event, fields),
    error: (event, error, fields = {}) =>
      line('error', event, {
        ...fields,
        error: describe(error),
        stack:
          error instanceof Error
            ? error.stack
                ?.split('\n')
                .slice(1, 6)
                .map((s) => s.trim())
            : undefined,
      }),
  };
}

/** Drizzle's own message repeats the statement's values, which may be a person's words; its cause says what went wrong. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = error instanceof DrizzleQueryError && error.cause instanceof Error ? error.cause : error;
  return `${said.name}: ${said.message}`;
}

export const silentLog: Log = { info: () => {}, error: () => {} };
