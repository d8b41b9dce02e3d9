// `node scripts/run.mjs FILE.ts …`: a TypeScript file on a Node that runs it, whatever Node is there.
import { findNode, install, run } from './bootstrap.mjs';

const [file, ...args] = process.argv.slice(2);
const node = findNode();
install(node);
run(node, file, args);
