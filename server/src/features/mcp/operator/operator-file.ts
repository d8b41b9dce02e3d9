import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { readJsonWithComments } from '../../../platform/mcp/json-with-comments.ts';
import { isRecord } from '../../../platform/parsed-json.ts';
import { serverKey } from '../tool-names.ts';

/** A server of the file: how to start it, or why it is off. */
export interface OperatorEntry {
  name: string;
  /** Begins its tools' ids: its name, where a tool's id can hold that. */
  key: string;
  setup: { server: OperatorServer } | { off: string };
}

/** Programs call the list of servers by different names; the last is of editors. */
const LISTS = ['mcpServers', 'servers', 'context_servers', 'mcp'];

/**
 * The servers of the operator's file, as READMEs and other programs write them; none without a file. A file or an entry that is wrong
 * doesn't stop the product: `problem` and `off` say what is wrong.
 */
export function readOperatorServers(
  config: Pick<Config, 'MCP_SERVERS_FILE'>,
  environment: Environment,
): { entries: OperatorEntry[]; problem?: string } {
  const path = config.MCP_SERVERS_FILE;
  if (path === undefined) return { entries: [] };
  try {
    const servers = listIn(readJsonWithComments(readFileSync(path, 'utf8')));
    return { entries: servers.map(([name, value]) => readEntry(name, value, { environment, folder: dirname(path) })) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { entries: [], problem: `${path} can’t be read, so none of its servers is used: ${reason}` };
  }
}

function listIn(file: unknown): [string, unknown][] {
  if (!isRecord(file)) throw new Error('it holds no object with “mcpServers”');
  for (const list of LISTS) {
    const servers = file[list];
    if (isRecord(servers))
      return list === 'mcp' && isRecord(servers.servers) ? listIn(servers) : Object.entries(servers);
  }
  // Some READMEs show only the entry, without the list around it.
  const entries = Object.entries(file);
  if (entries.length > 0 && entries.every(([, value]) => isRecord(value) && ('command' in value || 'url' in value)))
    return entries;
  throw new Error('it holds no object with “mcpServers”');
}

function readEntry(name: string, value: unknown, place: FileContext): OperatorEntry {
  const named = { name, key: serverKey(name) };
  const parsed = entry.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue?.path.join('.') ?? '';
    return { ...named, setup: { off: at === '' ? 'It is no object.' : `Its “${at}” ${issue?.message}.` } };
  }
  if (parsed.data.disabled === true || parsed.data.enabled === false)
    return { ...named, setup: { off: 'The file disables it.' } };
  try {
    return { ...named, setup: { server: serverOf(parsed.data, place) } };
  } catch (error) {
    if (error instanceof EntryOff) return { ...named, setup: { off: error.message } };
    throw error;
  }
}

/** The variables that `${NAME}` in the file refers to. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Why an entry is off, in a sentence. */
class EntryOff extends Error {}

/** Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` by the environment's values. */
function fillIn(text: string, environment: Environment): string {
  const [begin = '', ...rest] = text.split('${');
  return rest.reduce((filled, piece) => {
    const end = piece.indexOf('}');
    if (end === -1) return `${filled}\${${piece}`;
    const variable = piece.slice(0, end);
    const [name = '', ...fallback] = variable.replace(/^env:/u, '').split(':-');
    const value = (Object.hasOwn(environment, name) ? environment[name] : undefined) || fallback.join(':-');
    if (value === '' && fallback.length === 0) throw new EntryOff(unset(variable, name));
    return filled + value + piece.slice(end + 1);
  }, begin);
}

const unset = (variable: string, name: string) =>
  /^[A-Za-z_]\w*$/u.test(name)
    ? `The environment variable ${name} is not set.`
    : `It needs “\${${variable}}”, which can’t be filled in here. Write the value, or use an environment variable.`;

export type OperatorServer =
  | { command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { url: string; headers: Record<string, string>; transport: 'http' | 'sse' };

const word = z.union([z.string(), z.number(), z.boolean()], 'must be text').transform(String);
const words = z.record(z.string(), word).nullish();
const entry = z.looseObject({
  type: z.string().nullish(),
  transport: z.string().nullish(),
  command: z.union([z.string().min(1, 'is empty'), z.array(z.string()).min(1)], 'must be text').nullish(),
  args: z.array(word).nullish(),
  env: words,
  environment: words,
  cwd: z.string().nullish(),
  url: z.string().nullish(),
  serverUrl: z.string().nullish(),
  httpUrl: z.string().nullish(),
  headers: words,
  disabled: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
});
type Entry = z.infer<typeof entry>;

/** How to reach the server of an entry. Throws EntryOff. */
function serverOf(read: Entry, place: FileContext): OperatorServer {
  const fill = (text: string) => fillIn(text, place.environment);
  const filled = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
  const url = read.url ?? read.serverUrl ?? read.httpUrl ?? undefined;
  const kind = (read.type ?? read.transport ?? '').toLowerCase();
  if (url !== undefined && kind !== 'stdio') {
    const address = URL.parse(fill(url));
    if (address === null || !/^https?:$/.test(address.protocol))
      throw new EntryOff('Its “url” is no address that begins with https:// or http://.');
    return { url: address.href, headers: filled(read.headers ?? {}), transport: kind === 'sse' ? 'sse' : 'http' };
  }
  if (!read.command) throw new EntryOff('It has neither “command” nor “url”.');
  const [command = '', ...begun] = [read.command].flat();
  const cwd = read.cwd ?? undefined;
  return {
    command: fill(command),
    args: [...begun, ...(read.args ?? [])].map(fill),
    env: filled({ ...read.environment, ...read.env }),
    ...(cwd === undefined ? {} : { cwd: resolve(place.folder, fill(cwd)) }),
  };
}

interface FileContext {
  environment: Environment;
  folder: string;
}
