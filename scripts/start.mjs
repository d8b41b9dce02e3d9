// `npm start`: from a fresh clone to a running server, without a question.
import { buildWeb, bundleServer, envFile, findNode, install, run, SERVER_FLAGS } from './bootstrap.mjs';

const node = findNode();
install(node);
buildWeb(node);
run(node, bundleServer(node), [], [...SERVER_FLAGS, ...envFile()]);
