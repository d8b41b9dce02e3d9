import { requestOrigin } from './http/request-origin.ts';
import { logged } from './logged-error.ts';

/**
 * One JSON line per event on stderr, with the id of the request that it belongs to; never message texts, prompts, memories or secrets.
 */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  error(event: string, error: unknown, fields?: Record<string, unknown>): void;
}

export function createLog(write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)): Log {
  const line = (level: string, event: string, fields: Record<string, unknown>) =>
    write(
      JSON.stringify({
        time: new Date().toISOString(),
        level,
        event,
        request: requestOrigin.getStore()?.id,
        ...fields,
      }),
    );
  return {
    info: (event, fields = {}) => line('info', event, fields),
    error: (event, error, fields = {}) => line('error', event, { ...fields, ...logged(error) }),
  };
}

/** Libraries print errors with everything attached, such as a statement's values. Their output goes through the log instead. */
export function takeConsole(log: Log): void {
  const take = (...printed: unknown[]) => {
    const error = printed.find((value) => value instanceof Error);
    if (error === undefined) log.info('library.printed');
    else log.error('library.printed', error);
  };
  Object.assign(console, { error: take, warn: take, info: take, log: take, debug: take, trace: take });
}

export const silentLog: Log = { info: () => {}, error: () => {} };
