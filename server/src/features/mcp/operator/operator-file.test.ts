import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/lifetimes.ts';
import { readOperatorServers } from './operator-file.ts';

const { folder } = temporaryFolder('operator-file');

const environment = { TOKEN: 'abc', EMPTY: '', HOME_PAGE: 'https://wiki.example' };
function read(file: unknown) {
  const path = join(folder, 'servers.json');
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file));
  return readOperatorServers({ MCP_SERVERS_FILE: path }, environment);
}
const only = (server: unknown, name = 'one') => read({ mcpServers: { [name]: server } }).entries[0];

describe('what READMEs say', () => {
  it('is understood as it is pasted, with comments and commas at the end', () => {
    const { entries, problem } = read(`\uFEFF{
      // Claude Desktop
      "mcpServers": {
        "filesystem": { "command": "npx", "args": ["-y", "server-filesystem", "/srv"], "env": { "N": 1 }, "autoApprove": [], },
        /* Cursor, VS Code */
        "git hub": { "type": "http", "url": "https://api.example/mcp/", "headers": { "Authorization": "Bearer \${TOKEN}" } },
        "old": { "type": "sse", "url": "\${env:HOME_PAGE}/sse", },
        "opencode": { "type": "local", "command": ["bun", "x"], "environment": { "A": "\${NONE:-b}" }, "enabled": true },
      },
    }`);
    expect(problem).toBeUndefined();
    expect(entries.map(({ setup }) => setup)).toEqual([
      { server: { command: 'npx', args: ['-y', 'server-filesystem', '/srv'], env: { N: '1' } } },
      { server: { url: 'https://api.example/mcp/', headers: { Authorization: 'Bearer abc' }, transport: 'http' } },
      { server: { url: 'https://wiki.example/sse', headers: {}, transport: 'sse' } },
      { server: { command: 'bun', args: ['x'], env: { A: 'b' } } },
    ]);
  });

  it.each([
    ['servers', { servers: { a: { command: 'x' } }, inputs: [] }],
    ['mcp.servers', { mcp: { servers: { a: { command: 'x' } } } }],
    ['context_servers', { context_servers: { a: { command: 'x' } } }],
    ['no list at all', { a: { command: 'x' } }],
  ])('may stand under %s', (_what, file) => {
    expect(read(file).entries).toMatchObject([{ name: 'a', key: 'a', setup: { server: { command: 'x' } } }]);
  });

  it('may use any name: a tool’s id gets one that it can hold, different for each', () => {
    const names = [
      'Géo Données',
      'github.com/a/b',
      '日本',
      'a-name-that-is-far-too-long',
      's12345678',
      'plain',
      '',
      'x_y',
      'x y',
    ];
    const { entries } = read({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) });
    const keys = entries.map(({ key }) => key);
    expect(new Set(keys).size).toBe(names.length);
    for (const key of keys) expect(key).toMatch(/^[a-zA-Z0-9-]{1,14}$/);
    expect(keys).toContain('plain');
    expect(keys).not.toContain('s12345678');
  });

  it('may name a folder, from the file’s own', () => {
    expect(only({ command: 'x', cwd: 'tools' })).toMatchObject({ setup: { server: { cwd: join(folder, 'tools') } } });
    expect(only({ command: 'x', cwd: '/srv' })).toMatchObject({ setup: { server: { cwd: '/srv' } } });
  });
});

describe('an entry that is wrong is off, with its reason, and no other', () => {
  it.each([
    [{ command: 'x', disabled: true }, 'The file disables it.'],
    [{ command: 'x', enabled: false }, 'The file disables it.'],
    [{ args: ['x'] }, 'It has neither “command” nor “url”.'],
    [{ command: '' }, /“command”/],
    [{ command: 'x', args: 'y' }, /“args”/],
    [{ command: 'x', env: { A: ['b'] } }, /“env.A” must be text/],
    [{ url: 'wiki.example' }, /no address that begins with https/],
    [{ url: 'file:///etc/passwd' }, /no address that begins with https/],
    [{ url: 'https://x.example', headers: { A: '${MISSING}' } }, 'The environment variable MISSING is not set.'],
    [{ command: 'x', env: { A: '${EMPTY}' } }, 'The environment variable EMPTY is not set.'],
    [{ command: 'x', args: ['${constructor}'] }, 'The environment variable constructor is not set.'],
    [{ command: '${input:path}' }, /“\$\{input:path\}”, which can’t be filled in here/],
    ['x', 'It is no object.'],
    [null, 'It is no object.'],
  ])('%j', (bad, reason) => {
    const { entries } = read({ mcpServers: { bad, good: { command: 'x' } } });
    expect(entries).toMatchObject([
      { name: 'bad', setup: { off: expect.stringMatching(reason) } },
      { name: 'good', setup: { server: { command: 'x' } } },
    ]);
  });

  it.each([
    ['{"mcpServers": {"a": {"command": "x"}', /line 1, column 38/],
    ['{\n "mcpServers": {,}\n}', /line 2, column \d+/],
    ['[]', /no object with “mcpServers”/],
    ['{"mcpServers": []}', /no object with “mcpServers”/],
    ['', /line 1/],
  ])('a file like %j has none, and says where it is wrong', (file, problem) => {
    expect(read(file)).toEqual({ entries: [], problem: expect.stringMatching(problem) });
  });

  it('a file that is missing has none; without one there is nothing to say', () => {
    expect(readOperatorServers({ MCP_SERVERS_FILE: join(folder, 'none.json') }, {})).toEqual({
      entries: [],
      problem: expect.stringMatching(/none\.json can’t be read/),
    });
    expect(readOperatorServers({ MCP_SERVERS_FILE: undefined }, {})).toEqual({ entries: [] });
  });
});
