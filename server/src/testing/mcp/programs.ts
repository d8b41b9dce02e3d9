import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../listen.ts';

// Programs that serve tools, as the operator's file names them.

export const node = (...args: string[]) => ({ command: process.execPath, args });
export const BAD = join(import.meta.dirname, 'bad-server.ts');
export const ASKING = join(import.meta.dirname, 'asking-server.ts');

const require_ = createRequire(import.meta.url);
/** A reference server of the protocol. */
export function program(name: string, ...args: string[]) {
  const folder = dirname(require_.resolve(`@modelcontextprotocol/server-${name}/package.json`));
  return node(join(folder, 'dist/index.js'), ...args);
}

/** The one with everything at an address, by the new transport or the old, on a port that was free a moment ago. */
export async function startEverything(transport: 'streamableHttp' | 'sse') {
  const port = await freePort();
  const { command, args } = program('everything', transport);
  const child = spawn(command, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${origin}/nothing`));
  return { url: `${origin}/${transport === 'sse' ? 'sse' : 'mcp'}`, close: () => child.kill() };
}

/** Writes the operator's file; returns the setting that names it. */
export function serversFile(folder: string, mcpServers: object) {
  const file = join(folder, 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return { MCP_SERVERS_FILE: file };
}
