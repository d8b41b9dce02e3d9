import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillDataFolder } from '../server/src/testing/database.ts';
import { eastAsianPdf, pdfOf } from '../server/src/testing/documents.ts';
import { isNightly } from '../server/src/testing/effort.ts';
import { eventually } from '../server/src/testing/eventually.ts';
import { KIND_ROWS } from '../server/src/testing/file-kinds.ts';
import { temporaryFolder } from '../server/src/testing/lifetimes.ts';
import { endProcess } from '../server/src/testing/listen.ts';
import { formOf, requestOf } from '../server/src/testing/requests.ts';
import { type ServerProcess, signUpAt, startProcess } from '../server/src/testing/server-process.ts';

const root = join(import.meta.dirname, '..');
/** Where it may, the server runs as an account that the system has no name for, which can't write beside its data. */
const stranger = { uid: 4242, gid: 4242 };
const mayBeStranger =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--version'], { ...stranger, cwd: '/' }).status === 0;
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const as = mayBeStranger ? stranger : {};

const { folder, fresh } = temporaryFolder('release');
const [release, data] = [fresh('release'), fresh('data')];
let server: ServerProcess;
let ada: Awaited<ReturnType<typeof signUpAt>>;

beforeAll(async () => {
  const built = spawnSync(process.execPath, ['scripts/build.mjs', 'release', release], { cwd: root, encoding: 'utf8' });
  expect(built.status, built.stdout + built.stderr).toBe(0);
  mkdirSync(data);
  chmodSync(folder, 0o755);
  if (!isNightly) fillDataFolder(data);
  if (mayBeStranger) execFileSync('chown', ['-R', `${stranger.uid}:${stranger.gid}`, data]);
  const RUNTIME_DIRECTORY = join(folder, 'runtime');
  mkdirSync(RUNTIME_DIRECTORY);
  chmodSync(RUNTIME_DIRECTORY, 0o777);
  const settings = { DATA_DIR: data, OFFLINE_PAUSE_MS: '0', RUNTIME_DIRECTORY };
  server = await startProcess(settings, join(release, 'server.js'), as);
  ada = await signUpAt(server);
  await ada.post('/api/agents', { name: 'Helper', prompt: 'You help.' });
});
afterAll(() => endProcess(server.child, 'SIGKILL'));

const get = async (path: string) => (await fetch(`${server.url}${path}`, { headers: { cookie: ada.cookie } })).text();

/** Asks in a new session; returns the finished task. */
async function ask(inputText: string, agentId = 'helper') {
  const { session } = JSON.parse(await (await ada.post('/api/sessions', { agentId })).text());
  const body = { sessionId: session.id, agentId, inputText };
  return JSON.parse(await (await ada.post('/api/runAgentTask', body)).text()).task;
}

/** Gives the agent files, and waits until each is read; returns their notes. */
async function readAll(documents: readonly (readonly [string, Buffer])[]): Promise<(string | null)[]> {
  for (const file of documents) {
    const init = requestOf(server.url, ada.cookie, 'POST', formOf(...file));
    const added = await fetch(`${server.url}/api/agents/helper/files`, init);
    expect(added.status).toBe(201);
  }
  let files: { name: string; state: string; error: string | null; note: string | null }[] = [];
  await eventually(async () => {
    ({ files } = JSON.parse(await get('/api/agents/helper/files')));
    const named = documents.map(([name]) => files.find((file) => file.name === name));
    expect(named.filter((file) => file?.state !== 'ready')).toEqual([]);
  });
  return files.map(({ note }) => note);
}

const made = (name: string) =>
  [name, readFileSync(join(root, 'server/src/testing/documents-of-others', name))] as const;

describe('a release, away from its sources', () => {
  it('names no source, and has no way to one', () => {
    const bundle = join(release, 'server', 'build');
    const scripts = readdirSync(bundle).filter((name) => name.endsWith('.js') || name.endsWith('.json'));
    const naming = scripts.filter((name) =>
      /server\/src|\.\.\/src|\.ts['"]/u.test(readFileSync(join(bundle, name), 'utf8')),
    );
    expect(naming).toEqual([]);
    expect(JSON.parse(readFileSync(join(release, 'package.json'), 'utf8'))).toMatchObject({
      version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
      type: 'module',
    });
    expect(existsSync(join(release, 'server', 'src'))).toBe(false);
    // For a first start, which by day only the bundle makes that it copies.
    const statements = (of: string) => globSync('server/build/{sql,migrations}/**', { cwd: of }).toSorted();
    expect(statements(release)).toEqual(statements(root));
    expect(statements(release).length).toBeGreaterThan(0);
  });

  it.runIf(hasSystemd)('brings a service that systemd finds in order, and closed', () => {
    const unit = join(folder, 'atelier.service');
    const text = readFileSync(join(release, 'atelier.service'), 'utf8');
    writeFileSync(unit, text.replace('/opt/atelier/node', process.execPath).replaceAll('/opt/atelier', release));
    const analyze = (...args: string[]) => spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
    expect(analyze('verify')).toMatchObject({ status: 0, stderr: '' });
    // In tenths: what is left open is the network, and what V8 and PGlite need.
    expect(analyze('security', '--offline=yes', '--no-pager', '--threshold=14').status).toBe(0);
    for (const script of ['install.sh', 'atelier'])
      expect(spawnSync('sh', ['-n', join(release, script)]).status).toBe(0);
  });

  it('is written over nothing else', () => {
    const other = join(folder, 'other');
    mkdirSync(join(other, 'data'), { recursive: true });
    const write = () => spawnSync(process.execPath, ['scripts/release.ts', other], { cwd: root, encoding: 'utf8' });
    const refused = { status: 1, stderr: expect.stringContaining('is not empty: choose a new folder') };
    expect(write()).toMatchObject(refused);
    writeFileSync(join(other, 'built-by'), '');
    expect(write()).toMatchObject(refused);
    expect(readdirSync(other)).toEqual(['built-by', 'data']);
  });

  it('keeps the release before, also when it is installed twice', () => {
    const place = join(folder, 'installed');
    const script = readFileSync(join(root, 'install', 'install.sh'), 'utf8');
    const placing = script.slice(
      script.indexOf('# The release before'),
      script.indexOf('if [ ! -e /etc/atelier.env ]'),
    );
    const shell = `chown() { :; }\n${placing.replaceAll('/opt/atelier', place)}`;
    const install = (sources: string) => {
      const from = join(folder, `built-${sources}`);
      mkdirSync(join(from, 'server', 'build'), { recursive: true });
      for (const [name, text] of Object.entries({ commit: '1f2e3d4', 'built-from': sources }))
        writeFileSync(join(from, 'server', 'build', name), text);
      const env = { PATH: process.env.PATH, from, node: join(from, 'server', 'build', 'commit') };
      expect(spawnSync('sh', ['-euc', shell], { env, encoding: 'utf8' })).toMatchObject({ status: 0 });
    };
    for (const sources of ['first', 'second', 'second']) install(sources);
    const installed = (of: string) => readFileSync(join(of, 'server', 'build', 'built-from'), 'utf8');
    expect([installed(place), installed(`${place}.before`)]).toEqual(['second', 'first']);
  });

  it('serves the pages and answers', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(JSON.parse(await get('/readyz'))).toMatchObject({ status: 'ready' });
    expect(JSON.parse(await get('/api/openapi.json')).paths).toHaveProperty('/api/agents');
    expect(await get('/')).toContain('<html');
    expect((await ask('My sister Ingrid lives in Bergen.')).message).not.toBe('');
  });

  it('tells the service that it listens, which waits for that or for its end', async () => {
    const text = readFileSync(join(release, 'atelier.service'), 'utf8');
    const waiting = /^ExecStartPost=\/bin\/sh -c '(?<script>.+)'$/mu.exec(text)?.groups?.script ?? 'exit 2';
    const wait = (RUNTIME_DIRECTORY: string, MAINPID: string) =>
      spawnSync('sh', ['-c', waiting], {
        env: { PATH: process.env.PATH, RUNTIME_DIRECTORY, MAINPID },
        timeout: 10_000,
      });
    expect(wait(join(folder, 'runtime'), String(server.child.pid)).status).toBe(0);
    expect(wait(data, '999999999').status).toBe(1);
  });

  it('brings the command atelier, which finds a list in the folder where it is called, or in its input', () => {
    const [settings, command] = [join(folder, 'atelier.env'), join(folder, 'atelier')];
    writeFileSync(settings, `DATA_DIR=${data}\n`);
    writeFileSync(join(folder, 'people.txt'), `${ada.email}\n`);
    // At its place, and without the account that install.sh makes.
    const text = readFileSync(join(release, 'atelier'), 'utf8')
      .replace('/opt/atelier/node', process.execPath)
      .replaceAll('/opt/atelier', release)
      .replace('/etc/atelier.env', settings)
      .replace('setpriv --reuid=atelier --regid=atelier --init-groups ', '');
    writeFileSync(command, text);
    const grant = (list: string, input = '') => {
      const args = [command, 'admin', 'grant-pro', '--list', list, '--reason', 'test'];
      return spawnSync('sh', args, { cwd: folder, encoding: 'utf8', input, ...as });
    };
    expect(grant('people.txt')).toMatchObject({ status: 0, stdout: '1 accounts are Pro now; 0 were already.\n' });
    expect(grant('-', ada.email)).toMatchObject({ status: 0, stdout: '0 accounts are Pro now; 1 were already.\n' });
    expect(grant('none.txt')).toMatchObject({ status: 1, stderr: expect.stringContaining(join(folder, 'none.txt')) });
  });

  it('carries out admin commands', () => {
    const said = execFileSync(
      process.execPath,
      [join(release, 'admin.js'), 'grant-pro', ada.email, '--reason', 'test'],
      {
        env: { DATA_DIR: data },
        encoding: 'utf8',
        ...as,
      },
    );
    expect(said).toContain(ada.email);
    for (const program of ['go-back', 'move']) {
      const refused = spawnSync(process.execPath, [join(release, `${program}.js`), '--folder'], {
        env: { DATA_DIR: data },
        encoding: 'utf8',
        ...as,
      });
      expect(refused, program).toMatchObject({ status: 1, stderr: expect.stringMatching(/Unknown option|already/u) });
    }
  });

  // Whatever runs in a thread or process of its own is started from a file, which the release must contain.
  it('recalls a memory, ranked in a thread', async () => {
    const { message, memoryUsed } = await ask('Where does my sister live?');
    expect([message, JSON.stringify(memoryUsed)]).toEqual([
      expect.stringContaining('Bergen'),
      expect.stringContaining('Bergen'),
    ]);
  });

  it('runs JavaScript in the sandbox, in a thread', async () => {
    await ada.post('/api/agents', { name: 'Coder', prompt: 'You code.', tools: ['run_javascript'] });
    const { message, toolCalls } = await ask('Run this:\n```js\nconsole.log(6 * 7)\n```', 'coder');
    expect([message, toolCalls[0]?.state]).toEqual([expect.stringContaining('42'), 'done']);
  });

  it('reads documents of every library, in a process, also the text of a scanned PDF', async () => {
    const notes = await readAll([
      ['harbour.pdf', pdfOf(['The harbour opens at nine.'])],
      made('pandoc.docx'),
      made('openpyxl.xlsx'),
      made('reportlab-scan.pdf'),
      ['a.eml', Buffer.from('Subject: Hello\n\nHello.')],
      ['a.xml', Buffer.from('<a>Hello</a>')],
      ['a.yaml', Buffer.from('a: Hello')],
      ['latin.csv', Buffer.from('H\xf6he,Gr\xf6\xdfe\n1,2', 'latin1')],
    ]);
    expect(notes).toContain('Page 1 is a picture of text; recognized words may be wrong.');
  });

  it('has the character maps of East Asian PDFs', async () => {
    await readAll([['japan.pdf', eastAsianPdf('90ms-RKSJ-H', 'Japan1', '93fa967b8cea')]]);
    const { files } = JSON.parse(await get('/api/agents/helper/files'));
    const { id } = files.find(({ name }: { name: string }) => name === 'japan.pdf');
    expect(await get(`/api/agents/helper/files/${id}/passages`)).toContain('日本語');
  });

  it.runIf(isNightly)('reads every kind of document', async () => {
    const notes = await readAll([made('scan.png'), ...KIND_ROWS.map(({ file }) => file)]);
    expect(notes).toContain('This is a picture of text; recognized words may be wrong.');
  });

  it('ends by SIGTERM', async () => {
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(server.said()).not.toContain('"level":"error"');
  });
});
