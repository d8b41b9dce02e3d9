// `npm run build`: builds the pages and bundles the server, if their sources have changed. `npm run build -- server` bundles only,
// `npm run build:release` also writes the folder `release`, or the one named after `--`, which runs with Node alone.
import { buildWeb, bundleServer, findNode, install, run } from './bootstrap.mjs';

const [part, ...args] = process.argv.slice(2);
const node = findNode();
install(node);
if (part !== 'server') buildWeb(node);
bundleServer(node);
if (part === 'release') run(node, 'scripts/release.ts', args);
