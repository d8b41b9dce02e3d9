// `node scripts/run.mjs FILE.ts …`: runs a TypeScript file with a suitable Node, whichever Node is installed.
import { findNode, install, run } from './bootstrap.mjs';

const [file, ...args] = process.argv.slice(2);
const node = findNode();
install(node);
run(node, file, args);
