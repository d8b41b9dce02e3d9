import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The journeys look at the built pages, as people do. */
export default function assertBuilt(): void {
  if (!existsSync(join(import.meta.dirname, '..', 'web', 'build', 'client', 'index.html'))) {
    throw new Error('The pages are not built. Run `npm run build` first.');
  }
}
