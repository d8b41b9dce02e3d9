import { readFileSync } from 'node:fs';
import { effort } from './effort.ts';

/** Ideas of how a program could harm its host, one a line. */
const [loops = [], memory = [], escapes = [], errors = []] = readFileSync(
  new URL('./hostile-programs.txt', import.meta.url),
  'utf8',
)
  .split(/^# .*\n/mu)
  .slice(1)
  .map((part) => part.trimEnd().split('\n'));

/** Each hostile idea once, and a loop of each kind, for each costs its whole second; at night 200 programs. */
export function hostilePrograms() {
  const many = (list: string[], times: number) => Array.from({ length: times }, (_, i) => list[i % list.length] ?? '');
  return {
    loops: many(loops, effort(5, loops.length)),
    memory: many(memory, effort(memory.length, 48)),
    escapes: many(escapes, effort(escapes.length, 80)),
    errors: many(errors, effort(errors.length, 60)),
  };
}
