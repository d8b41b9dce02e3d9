import { Worker } from 'node:worker_threads';
import { z } from 'zod';

export const SANDBOX = { cpuMs: 1_000, memoryPages: 1_024, outputMax: 10_000, codeMax: 50_000 } as const;
/** However little CPU it got: a program is ended after this. */
const WALL_MS = 3_000;
/** At most so many at once in this process; the others wait their turn. */
const AT_ONCE = 2;
const WAITING_MAX = 20;

const reply = z.object({ value: z.string().nullable(), error: z.string().nullable(), console: z.string() });
export type ProgramResult = z.infer<typeof reply>;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a program in an interpreter of its own in a thread of its own: 64 MB, 1 s of CPU, no network, files or timers. Never throws
 * for what the program does; throws the signal's reason when that aborts.
 */
export async function runJavaScript(code: string, signal: AbortSignal): Promise<ProgramResult> {
  if (code.length > SANDBOX.codeMax) return ended(`A program can have at most ${SANDBOX.codeMax} characters.`);
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_MAX) return ended('Too many programs are waiting. Try again later.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
  try {
    signal.throwIfAborted();
    return await runInWorker(code, signal);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

const ended = (error: string, console = ''): ProgramResult => ({ value: null, error, console });

function runInWorker(code: string, signal: AbortSignal): Promise<ProgramResult> {
  const worker = new Worker(new URL('./javascript.worker.ts', import.meta.url), {
    workerData: { code, cpuMs: SANDBOX.cpuMs, pages: SANDBOX.memoryPages, outputMax: SANDBOX.outputMax },
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
  });
  return new Promise<ProgramResult>((resolve, reject) => {
    const timer = setTimeout(
      () => finish(() => resolve(ended('The program ran longer than 1 second and was stopped.'))),
      WALL_MS + 250,
    );
    const stop = () => finish(() => reject(signal.reason));
    let settled = false;
    const finish = (settle: () => void) => {
      // Ending the worker is itself told as an exit; the first word counts.
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      void worker.terminate().then(settle, settle);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (message: unknown) => {
      const parsed = reply.safeParse(message);
      finish(() => resolve(parsed.success ? plain(parsed.data) : ended('The program gave no result.')));
    });
    worker.once('error', () => finish(() => resolve(ended('The program needed more memory than 64 MB.'))));
    worker.once('exit', () => finish(() => resolve(ended('The program was ended.'))));
  });
}

/** What the interpreter calls its own ends, in words for people. */
function plain(result: ProgramResult): ProgramResult {
  const { error } = result;
  if (error === null) return result;
  if (/interrupted/.test(error)) return { ...result, error: 'The program ran longer than 1 second and was stopped.' };
  if (/out of memory|memory access|null$|OOM|abort/i.test(error)) {
    return { ...result, error: 'The program needed more memory than 64 MB.' };
  }
  return result;
}
