import { writeSync } from 'node:fs';
import { arrayBuffer } from 'node:stream/consumers';
import type { DocumentKind } from '../extract.ts';
import { cutIntoPassages } from '../passages.ts';
import { readDocument } from '../read-document.ts';
import type { Recognize } from '../read-options.ts';
import { Unreadable, unreadableSentence } from '../unreadable.ts';

/** How many passages one line of the answer carries. */
const PORTION = 200;
/** The share of its time in which text is recognized: when all of it is over, this process is killed and what it has read is lost. */
const RECOGNIZING = 0.8;
/** Every page of a document may fail for the same reason. */
const FAILURES_MAX = 3;

async function answer(kind: string, recognize: string, timeoutMs: number): Promise<void> {
  const until = Date.now() + timeoutMs * RECOGNIZING;
  const data = new Uint8Array(await arrayBuffer(process.stdin));
  const failures: unknown[] = [];
  try {
    // The server sends only what it knows.
    const options = {
      recognize: recognize as Recognize,
      until,
      progress: (progress: string) => say({ progress }),
      failed: (error: unknown) => void failures.push(error),
    };
    const document = await readDocument(kind as DocumentKind, data, options);
    if (document.pictures === true) return say({ pictures: true });
    const { passages, only } = cutIntoPassages(document.sections);
    for (let at = 0; at < passages.length; at += PORTION) say({ passages: passages.slice(at, at + PORTION) });
    const { title = '', notes = [], links = [] } = document;
    say({ title, only: only ?? document.only ?? null, notes, links });
  } catch (error) {
    if (!(error instanceof Unreadable)) failures.push(error);
    say({ unreadable: unreadableSentence(error) });
  }
  for (const failure of failures.slice(0, FAILURES_MAX)) say({ failure: await reasonOf(failure) });
}

/** Text recognition throws its sentences; another error's message may repeat words of the document. */
async function reasonOf(failure: unknown): Promise<string> {
  if (typeof failure === 'string') return failure.split('\n', 1)[0] ?? '';
  return (await import('../../logged-error.ts')).logged(failure).error;
}

/** Writes a line of the answer before going on, however slowly the other side reads. */
function say(line: object) {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

// Output of libraries is not part of the answer.
console.log = console.warn = console.info = console.error = () => {};
const [, , kind = '', recognize = '', timeoutMs = ''] = process.argv;
await answer(kind, recognize, Number(timeoutMs));
process.exit(0);
