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
  const child = forkProcess(cat);
  child.stdin.write('x');
  const said = text(child.stdout);
  const refused = expect(said).rejects.toThrow('The fork server ended.');
  await expect.poll(() => child.pid).toBeDefined();
  const [forkServer = 0] = childrenOf(process.pid, 'fork-server.child');
  process.kill(forkServer, 'SIGKILL');
  await refused;
  // Its own process reads the end of what it is fed.
  await expect.poll(() => childrenOf(forkServer, 'stdin.pipe')).toEqual([]);
  const next = forkProcess(cat);
  next.stdin.end('again');
  expect(await text(next.stdout)).toBe('again');
});
