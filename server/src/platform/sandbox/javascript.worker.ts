import { parentPort, workerData } from 'node:worker_threads';
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext, RELEASE_SYNC } from 'quickjs-emscripten';

const { cpuMs, pages, outputMax } = workerData as {
  cpuMs: number;
  pages: number;
  outputMax: number;
};

/** Node's types declare WebAssembly as types only. */
const { Memory } = (
  globalThis as unknown as {
    WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => object };
  }
).WebAssembly;

let lines: string[] = [];
let room = outputMax;
let begun = 0;

function write(line: string) {
  if (room <= 0) return;
  const fitting = line.slice(0, room);
  room -= fitting.length + 1;
  lines.push(room <= 0 ? `${fitting}…` : fitting);
}

/** Written and run in the guest's own language: only strings cross the border. */
const PRELUDE = `(() => {
  const seen = (value) => {
    try {
      if (typeof value === 'string') return value;
      if (typeof value === 'function') return String(value.name || 'function');
      if (value instanceof Error) return value.name + ': ' + value.message;
      const text = JSON.stringify(value, (_, v) => typeof v === 'bigint' ? v + 'n' : v);
      return text === undefined ? String(value) : text;
    } catch { return '[unreadable]'; }
  };
  const out = globalThis.__write;
  delete globalThis.__write;
  const say = (...values) => out(values.map(seen).join(' '));
  globalThis.console = { log: say, info: say, warn: say, error: say, debug: say };
  return seen;
})()`;

const spent = () => (process.threadCpuUsage().user - begun) / 1_000 > cpuMs;

/** The last expression's value as text, or the error's; both come from the guest. */
function evaluate(vm: QuickJSContext, code: string): { value: string | null; error: string | null } {
  const write_ = vm.newFunction('__write', (line) => write(vm.getString(line)));
  vm.setProp(vm.global, '__write', write_);
  write_.dispose();
  const show = vm.unwrapResult(vm.evalCode(PRELUDE, 'prelude.js'));
  const describe = (handle: Parameters<typeof vm.getString>[0]) => {
    const shown = vm.callFunction(show, vm.undefined, handle);
    // The guest's text for a value can only fail for lack of time or memory.
    if (shown.error) return spent() ? 'interrupted' : 'out of memory';
    return vm.getString(shown.value).slice(0, outputMax);
  };
  const result = vm.evalCode(code, 'program.js');
  if (result.error) {
    const error = describe(result.error);
    return {
      value: null,
      error: error === '[unreadable]' ? 'The program ended with an error that can’t be shown.' : error,
    };
  }
  let handle = result.value;
  const jobs = vm.runtime.executePendingJobs();
  if (jobs.error) return { value: null, error: describe(jobs.error) };
  if (vm.typeof(handle) === 'object') {
    const state = vm.getPromiseState(handle);
    if (state.type === 'rejected') return { value: null, error: describe(state.error) };
    if (state.type === 'pending') return { value: null, error: 'The promise was never settled.' };
    handle = state.value;
  }
  return { value: vm.typeof(handle) === 'undefined' ? null : describe(handle), error: null };
}

async function run(code: string) {
  lines = [];
  room = outputMax;
  begun = process.threadCpuUsage().user;
  // A fresh module with its own memory: a limit inside the guest doesn't hold, the size of its memory does.
  const wasmMemory = new Memory({ initial: 256, maximum: pages });
  const module = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(512 * 1024);
  runtime.setInterruptHandler(spent);
  return evaluate(runtime.newContext(), code);
}

// One at a time; its module takes away whatever a program leaves behind.
parentPort?.on('message', async (code: string) => {
  parentPort?.postMessage('begun');
  const answer = await run(code).catch((error: unknown) => ({
    value: null,
    error: `The program was ended: ${String(error)}`,
  }));
  parentPort?.postMessage({ ...answer, console: lines.join('\n') });
});
