// `npm start`: from a fresh clone to a running server, without a question.
import { buildWeb, findNode, install, run } from './bootstrap.mjs';

const node = findNode();
install(node);
buildWeb(node);
run(node, 'server/src/main.ts');
