// `node scripts/run.mjs FILE …`: runs a tool, which may be TypeScript, with a suitable Node, whichever Node is installed.
import { findNode, install, run } from './bootstrap.mjs';

const [file, ...args] = process.argv.slice(2);
const node = findNode();
install(node, { everything: true });
run(node, file, args);
