// Loaded before the server: each SIGUSR2 shifts the process's clock, because the machine's can't be changed.
import { shiftClock } from '../../server/src/testing/shifted-clock.ts';

const HOUR = 3_600_000;
const offsets = [0, HOUR, -HOUR];
let at = 0;
process.on('SIGUSR2', () => {
  at = (at + 1) % offsets.length;
  shiftClock(offsets[at] ?? 0);
});
