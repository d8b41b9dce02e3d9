import { z } from 'zod';
import { type AgentSettings, agent, agentSettings, NEW_AGENT, settingsOf, storedSettings } from '../agents.ts';
import { calls, create, get } from '../calls.ts';

export const AGENT_FILE_FORMAT = 'atelier.agent';
export const AGENT_FILE_VERSION = 1;

/** The fields of every file of version 1. Later fields of an agent may be missing, so that older files stay readable. */
const always = agentSettings.pick({
  name: true,
  prompt: true,
  model: true,
  tags: true,
  tools: true,
  temperature: true,
  memoryEnabled: true,
});

/**
 * An agent as one readable file: its settings and nothing that belongs to a person. It contains no memories, sessions, files or counts, and
 * not whether the agent is public. Unknown fields are refused, so nothing can hide in a file. See docs/agent-file.md.
 */
export const agentFile = z.strictObject({
  format: z.literal(AGENT_FILE_FORMAT, 'This is not an Atelier agent file.'),
  version: z
    .number('The version of the file must be a number.')
    .refine(
      (version) => version === AGENT_FILE_VERSION,
      `This server reads agent files of version ${AGENT_FILE_VERSION} only.`,
    ),
  agent: agentSettings
    .partial()
    .extend(always.shape)
    .transform((body) => ({ ...NEW_AGENT, ...body })),
});
export type AgentFile = z.infer<typeof agentFile>;

/** The file as a server writes it. */
export const writtenAgentFile = z.object({
  format: z.literal(AGENT_FILE_FORMAT),
  version: z.literal(AGENT_FILE_VERSION),
  agent: storedSettings,
});

/** An agent as a file, see docs/agent-file.md. */
export const agentFileOf = (agent: AgentSettings): AgentFile => ({
  format: AGENT_FILE_FORMAT,
  version: AGENT_FILE_VERSION,
  agent: settingsOf(agent),
});

/** The stored agent, and a sentence for each part of the file that could not be kept. */
export const importAnswer = z.object({ agent, notes: z.array(z.string()) });

/** The first problem with a file, in a sentence that names its field; null when it is fine. */
export function agentFileProblem(input: unknown): string | null {
  const parsed = agentFile.safeParse(input);
  if (parsed.success) return null;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') return `The file has an unknown field: ${issue.keys.join(', ')}.`;
  const path = issue?.path.join('.') ?? '';
  return path === '' || path === 'format' ? 'This is not an Atelier agent file.' : `${path}: ${issue?.message}`;
}

export const agentFileCalls = calls('/api/agents', {
  export: get('/:agentId/export', 'exportAgent', 'An agent as a file.', {
    answer: { type: 'application/json', download: true, content: writtenAgentFile },
  }),
  import: create('/import', 'importAgent', 'Creates an agent from a file.', {
    rate: 'agents',
    body: agentFile,
    answer: importAnswer,
    fails: ['limit_reached', 'conflict'],
  }),
});
