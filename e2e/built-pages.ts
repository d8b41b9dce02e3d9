import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareServers } from './server.ts';

/** The journeys use the built pages, as people do, on servers that start from one prepared folder. */
export default async function prepareJourneys(): Promise<() => Promise<void>> {
  if (!existsSync(join(import.meta.dirname, '..', 'web', 'build', 'client', 'index.html'))) {
    throw new Error('The pages are not built. Run `npm run build` first.');
  }
  return prepareServers();
}
