// `npm run build`: builds the pages and bundles the server, if their sources have changed. `npm run build -- server` bundles only.
import { buildWeb, bundleServer, findNode, install } from './bootstrap.mjs';

const node = findNode();
install(node);
if (process.argv[2] !== 'server') buildWeb(node);
bundleServer(node);
