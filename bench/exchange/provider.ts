// A model provider on loopback, in a process of its own: answers of 50 tokens, streamed at once.
import { startFakeOpenAI } from '../../server/src/testing/fake-openai.ts';

const TOKENS = 50;
/** Some English tokens take five characters, with their blank. */
const text = 'fjords sleep under trains '.repeat(TOKENS).slice(0, TOKENS * 5);

const provider = await startFakeOpenAI({ text, deltas: TOKENS, delayMs: 0 });
// It keeps what it was asked; nobody reads that here.
setInterval(() => (provider.requests.length = 0), 1_000).unref();
console.log(`listens on ${provider.url} (pid ${process.pid})`);
process.on('SIGTERM', () => process.exit(0));
