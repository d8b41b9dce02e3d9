import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../../config.ts';
import { readJsonWithComments } from '../../../platform/mcp/json-with-comments.ts';
import { isRecord } from '../../../platform/parsed-json.ts';
import { serverKey } from '../tool-names.ts';
import { EntryOff, type Environment, entry, type OperatorServer, type Place, serverOf } from './operator-entry.ts';

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
    const found = file[list];
    if (isRecord(found)) return list === 'mcp' && isRecord(found.servers) ? listIn(found) : Object.entries(found);
  }
  // Some READMEs show only the entry, without the list around it.
  const entries = Object.entries(file);
  if (entries.length > 0 && entries.every(([, value]) => isRecord(value) && ('command' in value || 'url' in value)))
    return entries;
  throw new Error('it holds no object with “mcpServers”');
}

function readEntry(name: string, value: unknown, place: Place): OperatorEntry {
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
