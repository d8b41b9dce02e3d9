// `npm run admin -- COMMAND …`, `npm run backup`, `restore`, `go-back`, `move`: the operator's commands, with what running needs and no more.
import { envFile, findNode, install, run } from './bootstrap.mjs';

const node = findNode();
install(node);
const args = process.argv.slice(2);
const program = ['backup', 'restore', 'go-back', 'move'].includes(args[0]) ? args.shift() : 'admin';
run(node, `server/src/${program}.ts`, args, envFile());
