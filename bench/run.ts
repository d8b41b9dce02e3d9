// `npm run bench`: every bench, one after another, because they measure time.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BENCHES = [
  ['start.ts'],
  ['exchange.ts'],
  ['memory-speed.ts'],
  ['memory-restart.ts'],
  ['explore.ts'],
  ['explore.ts', '--postgres'],
  ['search.ts'],
  ['holds.ts'],
  ['memory-bound.ts'],
  ['worst-account.ts'],
  ['sandbox.ts'],
  ['idle.ts'],
  ['contradictions.ts'],
  ['memory.ts', '--data', join(import.meta.dirname, 'conversations', 'own.json')],
] as const;

const failed = BENCHES.filter(([file, ...args]) => {
  console.log(`\n== ${file}`);
  return spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) throw new Error(`failed: ${failed.map(([file]) => file).join(', ')}`);
