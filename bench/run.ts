// `npm run bench`: every bench, one after another, because they measure time.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const NAMES = 'start exchange memory memory-speed offline-questions search timeline worst-account lighthouse'.split(
  ' ',
);

const failed = NAMES.filter((name) => {
  console.log(`\n== ${name}`);
  return spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
