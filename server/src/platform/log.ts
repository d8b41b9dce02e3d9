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
        error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
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

export const silentLog: Log = { info: () => {}, error: () => {} };
