import { UNNAMED_AGENT } from '@atelier/contract/agents';
import { agentFile } from '@atelier/contract/agents/agent-file';
import { cleanName } from '@atelier/contract/names/names';
import { importKind } from '@atelier/contract/transfer/imports';
import { z } from 'zod';
import type { ZipPart } from '../../../platform/zip/zip-file.ts';
import type { Archive } from './archive.ts';
import { readJson } from './read-json.ts';
import type { RowKind } from './read-rows.ts';

const AGENT_FILE_BYTES = 512 * 1024;

/** An agent of the archive; null when its file is not valid. */
export async function readAgent(part: ZipPart) {
  const parsed = agentFile.safeParse(named(await readJson(part, AGENT_FILE_BYTES)));
  return parsed.success ? parsed.data : null;
}

const namedFile = z.looseObject({ agent: z.looseObject({ name: z.string() }) });

/** An agent from before names were cleaned comes along with its sessions, also where nothing of its name is visible. */
function named(json: unknown): unknown {
  const { data } = namedFile.safeParse(json);
  if (data === undefined || data.agent.name.trim() === '' || cleanName(data.agent.name) !== '') return json;
  return { ...data, agent: { ...data.agent, name: UNNAMED_AGENT } };
}

const AGENT_NAMES = 10;

/** How much of each kind an archive holds, and the names of some agents. */
export async function survey(archive: Archive) {
  const agentNames: string[] = [];
  for (const part of archive.agents.values()) {
    if (agentNames.length === AGENT_NAMES) break;
    const file = await readAgent(part);
    if (file !== null) agentNames.push(file.agent.name);
  }
  const counts = [];
  for (const kind of importKind.options) {
    const found = kind === 'agents' ? archive.agents.size : await countRows(archive, kind);
    counts.push({ kind, found, imported: 0, present: 0, left: 0 });
  }
  return { agentNames, counts };
}

async function countRows(archive: Archive, kind: RowKind | 'attachments' | 'files') {
  let count = 0;
  for await (const portion of archive.rows(kind)) count += portion.length;
  return count;
}
