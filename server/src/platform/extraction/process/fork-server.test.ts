import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { forkProcess } from './fork-server.ts';

const cat = ['-e', 'process.stdin.pipe(process.stdout)'];

/** The processes that this one has started, by what they run. */
const childrenOf = (pid: number, program: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => {
      try {
        const isOurs = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
        return isOurs && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(program);
      } catch {
        return false;
      }
    })
    .map(Number);

function isRunning(pid = 0): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('passes on what is said, to each process its own', async () => {
  const [one, other] = [forkProcess(cat), forkProcess(cat)];
  one.stdin.end('a'.repeat(1_000_000));
  other.stdin.end('b');
  expect(await Promise.all([text(one.stdout), text(other.stdout)])).toEqual(['a'.repeat(1_000_000), 'b']);
});

it('knows nothing of this process’s environment', async () => {
  process.env.FORK_SECRET = 'the secret';
  onTestFinished(() => void delete process.env.FORK_SECRET);
  expect(await text(forkProcess(['-p', 'process.env.FORK_SECRET']).stdout)).toBe('undefined\n');
});

it('breaks the feeding of a process that ends', async () => {
  const child = forkProcess(['-e', 'process.exit(1)']);
  await text(child.stdout);
  expect(child.stdin.destroyed).toBe(true);
});

it.skipIf(process.platform !== 'linux')('fails its processes when it dies, and starts again', async () => {
  // One that would go on for ever, too.
  const child = forkProcess(['-e', `setInterval(() => {}, 1_000); ${cat[1]}`]);
  child.stdin.write('x');
  const said = text(child.stdout);
  const refused = expect(said).rejects.toThrow('The fork server ended.');
  await expect.poll(() => child.pid).toBeDefined();
  const [forkServer = 0] = childrenOf(process.pid, 'fork-server.child');
  process.kill(forkServer, 'SIGKILL');
  await refused;
  await expect.poll(() => isRunning(child.pid)).toBe(false);
  const next = forkProcess(cat);
  next.stdin.end('again');
  expect(await text(next.stdout)).toBe('again');
});

it('fails a process that somebody else ends, and not one that ends by itself', async () => {
  const child = forkProcess(cat);
  const said = expect(text(child.stdout)).rejects.toThrow('The process was ended by SIGTERM.');
  await expect.poll(() => child.pid).toBeDefined();
  process.kill(child.pid ?? 0, 'SIGTERM');
  await said;
  expect(await text(forkProcess(['-e', 'process.exit(1)']).stdout)).toBe('');
});

it('waits for who reads slowly instead of holding what it is fed', async () => {
  const child = forkProcess(['-e', 'setTimeout(() => process.stdin.pipe(process.stdout), 1_000)']);
  const parts = Array.from({ length: 64 }, () => Buffer.alloc(65_536, 'a'));
  let taken = 0;
  for (const part of parts) child.stdin.write(part, () => (taken += 1));
  child.stdin.end();
  await expect.poll(() => taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(10);
  expect(await text(child.stdout)).toHaveLength(64 * 65_536);
});
