/** Whether an error, however wrapped, violates the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth += 1) {
    if ('constraint' in e && e.constraint === constraint) return true;
  }
  return false;
}
