// Loaded before the server: each SIGUSR2 shifts the process's clock, because the machine's can't be changed.
const HOUR = 3_600_000;
const offsets = [0, HOUR, -HOUR];
let at = 0;
process.on('SIGUSR2', () => {
  at = (at + 1) % offsets.length;
});
const RealDate = Date;
const now = () => RealDate.now() + offsets[at];
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
