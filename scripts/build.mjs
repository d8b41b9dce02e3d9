// `npm run build`: the pages, if their sources changed since the last time.
import { buildWeb, findNode, install } from './bootstrap.mjs';

const node = findNode();
install(node);
buildWeb(node);
