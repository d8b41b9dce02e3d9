export type Outage = 'away' | 'full';

/** By PostgreSQL's SQLSTATE or the operating system's name. Classes (the first two characters) are listed alone. */
const BY_CODE: Readonly<Record<Outage, ReadonlySet<string>>> = {
  away: new Set([
    '08', // the connection failed
    '25006', // a standby took over and only reads
    '53200', // out of memory
    '53300', // too many connections
    '57P01', // shut down by the administrator
    '57P02', // stopped after a crash
    '57P03', // starting up
    '57P05', // idle for too long
    '58030', // the disk failed
    ...'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
    ...'EIO EROFS EMFILE ENFILE'.split(' '),
  ]),
  full: new Set(['53100', 'ENOSPC', 'EDQUOT']),
};

/** Driver errors without a code. */
const AWAY_BY_MESSAGE =
  /^(?:Connection terminated|timeout e(?:xceeded|xpired)|Query read timeout|Client (?:was closed|has encountered a connection error)|Cannot use a pool after|PGlite is clos)/u;

/**
 * Whether an error, however wrapped, means that the database or the storage can't be reached (`away`) or is full (`full`): not the caller's
 * fault, and temporary. Null for other errors.
 */
export function outageOf(error: unknown): Outage | null {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 6; e = e.cause, depth += 1) {
    const code = 'code' in e && typeof e.code === 'string' ? e.code : '';
    if (BY_CODE.full.has(code)) return 'full';
    if (BY_CODE.away.has(code) || (/^\w{5}$/u.test(code) && BY_CODE.away.has(code.slice(0, 2)))) return 'away';
    if (AWAY_BY_MESSAGE.test(e.message)) return 'away';
  }
  return null;
}
