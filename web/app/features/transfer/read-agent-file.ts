import { type AgentFile, agentFile, agentFileProblem } from '@atelier/contract/agents/agent-file';

/** A prompt of 20,000 characters and all else, each at its longest, is smaller than this. Bytes. */
export const FILE_BYTES = 200 * 1024;

export type ReadFile = { file: AgentFile } | { problem: string };

/** What is in a file that a person picked: an agent, or a sentence about what is wrong with it. */
export async function readAgentFile(picked: Pick<File, 'size' | 'text'>): Promise<ReadFile> {
  if (picked.size > FILE_BYTES) return { problem: `An agent file is at most ${FILE_BYTES / 1024} KB.` };
  let input: unknown;
  try {
    input = JSON.parse(await picked.text());
  } catch {
    return { problem: 'This is not an agent file: it is not JSON.' };
  }
  const problem = agentFileProblem(input);
  return problem === null ? { file: agentFile.parse(input) } : { problem };
}
