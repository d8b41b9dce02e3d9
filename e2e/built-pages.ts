import { pagesAreBuilt } from '../scripts/bootstrap.mjs';
import { prepareServers } from './server.ts';

/** The journeys use the built pages, as people do, on servers that start from one prepared folder. */
export default async function prepareJourneys(): Promise<() => Promise<void>> {
  if (!pagesAreBuilt()) throw new Error('The pages are not built from the present sources. Run `npm run build` first.');
  return prepareServers();
}
