// `npm test`: from a fresh clone to a result. `npm test -- lint types` runs only the named steps.
import { findNode, install, run } from './bootstrap.mjs';

const node = findNode();
install(node, { everything: true });
run(node, 'scripts/checks.ts', process.argv.slice(2));
