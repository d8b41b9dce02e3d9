// `npm run build`: builds the pages, if their sources have changed.
import { buildWeb, findNode, install } from './bootstrap.mjs';

const node = findNode();
install(node);
buildWeb(node);
