// `npm run admin -- COMMAND …`: the operator's commands, with what running needs and no more.
import { envFile, findNode, install, run } from './bootstrap.mjs';

const node = findNode();
install(node);
run(node, 'server/src/admin.ts', process.argv.slice(2), envFile());
