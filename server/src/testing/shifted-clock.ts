const RealDate = Date;
let offset = 0;

class ShiftedDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(RealDate.now() + offset);
    else super(...args);
  }
  static override now() {
    return RealDate.now() + offset;
  }
  static override [Symbol.hasInstance](value: unknown) {
    return value instanceof RealDate;
  }
}

/**
 * Sets this process's wall clock forward or back by so many milliseconds, as an operator or a time service may; the embedded
 * database's clock goes with it. Zero sets it right again.
 */
export function shiftClock(ms: number): void {
  offset = ms;
  globalThis.Date = ms === 0 ? RealDate : (ShiftedDate as unknown as DateConstructor);
}
