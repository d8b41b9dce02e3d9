import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { z } from 'zod';

export const SANDBOX = { cpuMs: 1_000, memoryPages: 1_024, outputMax: 10_000, codeMax: 50_000 } as const;
/** A program is ended this long after it began, even if it got little CPU. On a busy machine, its thread may need longer to start. */
const WALL_MS = 3_250;
/** How many programs run at once in this process; others wait. */
const AT_ONCE = 2;
const WAITING_MAX = 20;
/** A thread is replaced after this many programs, and ended when idle. */
const PROGRAMS_A_THREAD = 25;
const IDLE_MS = 30_000;

/** The first message about a program: its thread is up and begins it. */
const BEGUN = 'begun';
/** How an error begins that was not thrown in the program. */
const ENDED = 'The program was ended: ';
const reply = z.object({ value: z.string().nullable(), error: z.string().nullable(), console: z.string() });
type ProgramResult = z.infer<typeof reply>;

interface Thread {
  worker: Worker;
  programs: number;
  idle?: NodeJS.Timeout;
}

const TOO_LONG = 'The program ran longer than 1 second and was stopped.';
const TOO_LARGE = 'The program needed more memory than 64 MB.';
const free: Thread[] = [];
const limit = pLimit(AT_ONCE);

/**
 * Runs a program in its own interpreter, in a worker thread: 64 MB, 1 s of CPU, no network, files or timers. Never throws for the program's
 * errors; throws the signal's reason when it aborts.
 */
export async function runJavaScript(code: string, signal: AbortSignal): Promise<ProgramResult> {
  if (code.length > SANDBOX.codeMax) return ended(`A program can have at most ${SANDBOX.codeMax} characters.`);
  if (limit.pendingCount >= WAITING_MAX) return ended('Too many programs are waiting. Try again later.');
  return limit(() => {
    signal.throwIfAborted();
    return runIn(free.pop() ?? startThread(), code, signal);
  });
}

const ended = (error: string): ProgramResult => ({ value: null, error, console: '' });

function startThread(): Thread {
  const worker = new Worker(new URL('./javascript.worker.ts', import.meta.url), {
    workerData: { cpuMs: SANDBOX.cpuMs, pages: SANDBOX.memoryPages, outputMax: SANDBOX.outputMax },
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    env: {},
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // The next program notices a thread that died in between.
  worker.on('error', () => {});
  return { worker, programs: 0 };
}

/** Returns a thread that worked well; an ended or worn one is replaced when needed. */
function giveBack(thread: Thread) {
  thread.programs += 1;
  if (thread.programs >= PROGRAMS_A_THREAD) return void thread.worker.terminate();
  thread.idle = setTimeout(() => {
    const at = free.indexOf(thread);
    if (at >= 0) free.splice(at, 1);
    void thread.worker.terminate();
  }, IDLE_MS).unref();
  free.push(thread);
}

function runIn(thread: Thread, code: string, signal: AbortSignal): Promise<ProgramResult> {
  const { worker } = thread;
  clearTimeout(thread.idle);
  worker.ref();
  return new Promise<ProgramResult>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const letGo = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.off('message', answer).off('error', died).off('exit', died).unref();
    };
    const kill = (then: () => void) => {
      letGo();
      void worker.terminate().then(then, then);
    };
    const stop = () => kill(() => reject(signal.reason));
    const died = () => kill(() => resolve(ended(TOO_LARGE)));
    const answer = (message: unknown) => {
      if (message === BEGUN) {
        timer = setTimeout(() => kill(() => resolve(ended(TOO_LONG))), WALL_MS);
        return;
      }
      letGo();
      const parsed = reply.safeParse(message);
      const result = parsed.success ? plain(parsed.data) : ended('The program gave no result.');
      // A full memory is not reused.
      if (result.error === TOO_LARGE) void worker.terminate();
      else giveBack(thread);
      resolve(result);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.on('message', answer).on('error', died).on('exit', died);
    worker.postMessage(code);
  });
}

/** The interpreter's ways to end, in words for people; a program's own errors as they are. Without memory there is none for an error: null. */
function plain(result: ProgramResult): ProgramResult {
  const { error } = result;
  if (error === null) return result;
  const isOwn = !error.startsWith(ENDED);
  if (isOwn ? /^(?:InternalError: )?interrupted$/.test(error) : error.includes('interrupted'))
    return { ...result, error: TOO_LONG };
  if ((isOwn ? /^(?:(?:InternalError: )?out of memory|null)$/ : /out of memory|memory access|OOM|abort/i).test(error))
    return { ...result, error: TOO_LARGE };
  return result;
}
