// `npm test`: from a bare clone to a verdict. `npm test -- lint types` runs only the steps named.
import { findNode, install, run } from './bootstrap.mjs';

const node = findNode();
install(node);
run(node, 'scripts/checks.ts', process.argv.slice(2));
