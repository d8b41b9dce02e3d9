const RealDate = Date;

/**
 * Sets this process's wall clock forward or back by so many milliseconds, as an operator or a time service may; the embedded
 * database's clock goes with it. Zero sets it right again.
 */
export function shiftClock(ms: number): void {
  if (ms === 0) {
    globalThis.Date = RealDate;
    return;
  }
  class ShiftedDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(RealDate.now() + ms);
      else super(...args);
    }
    static override now() {
      return RealDate.now() + ms;
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor;
}
