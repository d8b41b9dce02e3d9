import { readFileSync } from 'node:fs';

/** What a server process takes, in MB. */
export interface Memory {
  /** Everything in memory. */
  rss: number;
  /** The highest it ever was. */
  peak: number;
  /** Node itself and other mapped files. */
  files: number;
  /** The embedded database's WASM memory, as far as it was touched. */
  wasm: number;
  /** The main thread's V8 heap, as far as V8 has claimed it. */
  heap: number;
  /** What of it is in use, garbage included. */
  heapUsed: number;
  /** The rest: worker threads, compiled code, buffers, the allocator. */
  other: number;
}

const MB = 1024 * 1024;
/** V8 reserves this much address space and more for a WASM memory, so that it needs no bounds checks. */
const WASM_RESERVED = 4 * 1024 * MB;
const WASM_INITIAL = 64 * MB;

/** Reads /proc (Linux only) and the server's own metrics. */
export async function readMemory({ url, pid }: { url: string; pid: number }): Promise<Memory> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(metrics)?.[1] ?? 0) / MB;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'mu').exec(status)?.[1] ?? 0) / 1024;
  const [rss, files, wasm] = [field('VmRSS'), field('RssFile'), wasmOf(pid)];
  const heap = metric('nodejs_heap_size_total_bytes');
  return round({
    rss,
    peak: field('VmHWM'),
    files,
    wasm,
    heap,
    heapUsed: metric('nodejs_heap_size_used_bytes'),
    other: rss - files - wasm - heap,
  });
}

const round = (memory: Memory): Memory => ({
  rss: Math.round(memory.rss),
  peak: Math.round(memory.peak),
  files: Math.round(memory.files),
  wasm: Math.round(memory.wasm),
  heap: Math.round(memory.heap),
  heapUsed: Math.round(memory.heapUsed),
  other: Math.round(memory.other),
});

/** A WASM memory is a large writable mapping in front of a much larger one that nobody may touch. */
function wasmOf(pid: number): number {
  const mappings = readFileSync(`/proc/${pid}/smaps`, 'utf8')
    .split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/u)
    .map((text) => {
      const {
        from = '0',
        to = '0',
        rights = '',
      } = /^(?<from>[0-9a-f]+)-(?<to>[0-9a-f]+) (?<rights>\S+)/u.exec(text)?.groups ?? {};
      const size = Number.parseInt(to, 16) - Number.parseInt(from, 16);
      return { size, rights, resident: Number(/^Rss:\s+(\d+)/mu.exec(text)?.[1] ?? 0) / 1024 };
    });
  const found = mappings.find(
    ({ size, rights }, at) =>
      rights.startsWith('rw') && size >= WASM_INITIAL && (mappings[at + 1]?.size ?? 0) >= WASM_RESERVED,
  );
  return found?.resident ?? 0;
}
