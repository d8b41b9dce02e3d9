import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isNightly } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { temporaryFolder } from '../../testing/lifetimes.ts';
import { workerOf } from '../../testing/mcp/conversation.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { BAD, node, serversFile } from '../../testing/mcp/programs.ts';
import { runAdminCommand } from '../operator/operator.service.ts';

const SECRET = 'hunter2-is-my-password';

let ada: TestUser;
const logged: { event: string; fields: Record<string, unknown> }[] = [];
const log = {
  info: (event: string, fields: Record<string, unknown> = {}) => void logged.push({ event, fields }),
  error: (event: string, _error: unknown, fields: Record<string, unknown> = {}) => void logged.push({ event, fields }),
};

const { folder } = temporaryFolder('operator');
const settings = serversFile(folder, {
  good: node(BAD, 'good'),
  'A Good Name!': node(BAD, 'good'),
  elsewhere: { ...node(BAD, 'good'), cwd: folder },
  silent: node(BAD, 'silent'),
  broken: {
    ...node('-e', `console.error('Cannot find the harbour'); console.error('key ' + process.env.KEY); process.exit(7)`),
    env: { KEY: SECRET },
  },
  lost: { command: 'no-such-program-anywhere' },
  nowhere: { ...node(BAD, 'good'), cwd: 'no/such/folder' },
  unset: { url: 'http://127.0.0.1:9/${NOBODY_SET_THIS}' },
  away: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer ${SECRET}` } },
  off: { ...node(BAD, 'good'), disabled: true },
});
const app = await emptyApp({ env: settings, log });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});
const { catalogue, open, ask } = workerOf(
  () => app,
  () => ada,
);

describe('the operator’s file', () => {
  it('tells the operator how each server is, and the log why some are not', async () => {
    // The silent one is waited for as long as a check may take.
    const operatorSources = app.deps.operatorSources.filter(({ name }) => isNightly || name !== 'silent');
    const { message } = await runAdminCommand({ ...app.deps, operatorSources }, ['servers']);
    const lines = message.split('\n');
    const after = (name: string) => lines.slice(lines.findIndex((line) => line.startsWith(name))).join('\n');
    expect(lines).toContain('good works: 1 tools');
    expect(after('A Good Name!')).toMatch(/^A Good Name! \(A-Good-Na-[0-9a-f]{4}\) works: 1 tools/);
    if (isNightly) expect(after('silent')).toMatch(/^silent has not answered yet/);
    expect(after('broken')).toMatch(
      /^broken does not work\n {2}It ended with code 7\.\n {2}\| Cannot find the harbour\n {2}\| key \[redacted\]/,
    );
    expect(after('lost')).toMatch(/^lost does not work\n {2}The program “no-such-program-anywhere” was not found\./);
    expect(after('nowhere')).toMatch(/^nowhere does not work\n {2}Its folder .*no\/such\/folder does not exist\./);
    expect(after('unset')).toMatch(/^unset is off\n {2}The environment variable NOBODY_SET_THIS is not set\./);
    expect(after('away')).toMatch(
      /^away does not work\n {2}The server can’t be reached: nothing answers at 127\.0\.0\.1:9/,
    );
    expect(after('off')).toMatch(/^off is off\n {2}The file disables it\./);
    const told = (server: string) => logged.find(({ fields }) => fields.server === server);
    expect(told('broken')).toMatchObject({
      event: 'mcp.connect',
      fields: { reason: 'It ended with code 7.', lastLines: ['Cannot find the harbour', 'key [redacted]'] },
    });
    expect(told('unset')).toMatchObject({
      event: 'mcp.off',
      fields: { reason: expect.stringContaining('NOBODY_SET_THIS') },
    });
    expect(JSON.stringify([logged, message])).not.toContain(SECRET);
  });

  it('gives each process a folder of its own, unless it names one', async () => {
    await Promise.all(app.deps.operatorSources.filter(({ name }) => name !== 'silent').map((link) => link.check()));
    const own = resolve(app.deps.config.DATA_DIR, 'mcp');
    expect(readdirSync(own)).toEqual(expect.arrayContaining(['good', 'elsewhere']));
    const cwd = async (tool: string) => {
      await app.request('DELETE', '/api/agents/worker', { as: ada });
      return (await ask(await open([tool]), `Use ${tool}`)).toolCalls[0].output;
    };
    expect(await cwd('good__act')).toBe(`done in ${join(own, 'good')}`);
    expect(await cwd('elsewhere__act')).toBe(`done in ${folder}`);
    expect(existsSync(join(own, 'off'))).toBe(false);
  });
});

it('a server that never answers delays only runs that use it', async () => {
  const silent = app.deps.operatorSources.find(({ name }) => name === 'silent');
  const hanging = silent?.approvedTools();
  await eventually(async () => expect((await catalogue()).map(({ id }) => id)).toContain('good__act'));
  const sessionId = await open(['good__act', 'calculator']);
  expect((await ask(sessionId, 'Use act')).toolCalls).toMatchObject([{ state: 'done' }]);
  expect((await ask(sessionId, 'What is 20 + 22?')).message).toContain('42');
  let answered = false;
  void hanging?.then(() => (answered = true));
  await new Promise((done) => setImmediate(done));
  expect(answered).toBe(false);
});

it('all tools of a server are one choice, which later tools join; each new one asks first', async () => {
  const tool = (name: string) => ({ name, description: 'x', inputSchema: {}, annotations: { readOnlyHint: true } });
  const list = join(folder, 'many.json');
  const names = Array.from({ length: 120 }, (_, i) => `step.${i}/of it`);
  writeFileSync(list, JSON.stringify(names.map(tool)));
  writeFileSync(join(folder, 'many-servers.json'), JSON.stringify({ mcpServers: { many: node(BAD, 'file', list) } }));
  const env = { MCP_SERVERS_FILE: join(folder, 'many-servers.json') };
  const other = await testApp({ env, database: app.deps.database });
  const {
    open: openThere,
    ask: askThere,
    catalogue: there,
  } = workerOf(
    () => other,
    () => ada,
  );
  try {
    await other.deps.operatorSources[0]?.check();
    const found = (await there()).filter(({ server }) => server === 'many');
    expect(found).toHaveLength(120);
    expect(new Set(found.map(({ id }) => id)).size).toBe(120);
    expect(found.map(({ title }) => title).toSorted()).toEqual(names.toSorted());
    const [last] = found.slice(-1);
    const sessionId = await openThere(['many__*']);
    expect((await askThere(sessionId, `Use ${last?.id}`)).toolCalls).toMatchObject([
      { name: last?.id, state: 'done', output: expect.stringContaining('done') },
    ]);
  } finally {
    await other.close();
  }
  await expect(open(['nobody__*'])).rejects.toThrow();
});

describe('a server at an address', () => {
  const act = {
    name: 'act',
    description: 'Acts.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  };
  let tools: object[];
  let server: Awaited<ReturnType<typeof startMcpServer>>;
  let other: TestApp;
  beforeEach(async () => {
    tools = [act];
    server = await startMcpServer(tools);
    const file = join(folder, 'echo-servers.json');
    const echo = { url: `${server.url}?api_key=${SECRET}-too`, headers: { Authorization: `Bearer ${SECRET}` } };
    writeFileSync(file, JSON.stringify({ mcpServers: { echo } }));
    other = await testApp({ env: { MCP_SERVERS_FILE: file }, database: app.deps.database, log });
    await other.deps.operatorSources[0]?.check();
    return async () => {
      await other.close();
      await server.close();
    };
  });
  const worker = workerOf(
    () => other,
    () => ada,
  );

  it('repeats the secrets of the file to nobody who calls its tools', async () => {
    server.answers.set('act', `You are ${SECRET}, by ${SECRET}-too.`);
    const { toolCalls } = await worker.ask(await worker.open(['echo__act']), 'Use act');
    expect(server.headers.at(-1)?.authorization).toBe(`Bearer ${SECRET}`);
    expect(toolCalls).toMatchObject([{ state: 'done', output: expect.stringMatching(/^You are \[redacted\], by/) }]);
    expect(JSON.stringify(toolCalls)).not.toContain(SECRET);
  });

  it('is not called unreachable, in words of our database, when a change can’t be stored', async () => {
    const sessionId = await worker.open(['echo__act']);
    const { database } = app.deps;
    await database.executeSql(
      `create function refuse_pin() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    );
    await database.executeSql(
      'create trigger refuse_pin before insert or update on operator_tool_pins for each row execute function refuse_pin()',
    );
    try {
      tools[0] = { ...act, description: 'Acts otherwise.' };
      expect((await worker.ask(sessionId, 'Use act')).toolCalls).toMatchObject([
        { state: 'failed', output: 'The tool failed.' },
      ]);
    } finally {
      // The next file has this database without them.
      await database.executeSql('drop function refuse_pin cascade');
    }
    expect(server.called).toEqual([]);
  });
});
