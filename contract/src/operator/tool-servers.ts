import { z } from 'zod';
import { calls, get, post, under } from '../calls.ts';
import { instant } from '../ids.ts';
import { reason } from './audit.ts';

/** A tool as its server describes it. Input and annotations are JSON. */
const description = z.object({
  description: z.string(),
  input: z.string(),
  annotations: z.string(),
  readOnly: z.boolean(),
});
export type ToolDescription = z.infer<typeof description>;

/** A tool that its server describes otherwise than it was approved. */
export const changedTool = z.object({
  name: z.string(),
  /** Null for a tool that the server added later. */
  before: description.nullable(),
  now: description,
  /** Identifies exactly this change; a decision needs it. */
  code: z.string(),
  /** An operator has decided to leave it off. */
  leftOff: z.boolean(),
});
export type ChangedTool = z.infer<typeof changedTool>;

/** A tool server of the installation. */
export const installationServer = z.object({
  /** Its name in tools’ ids. */
  key: z.string(),
  name: z.string(),
  /** As this process knows it; `unknown` until it has contacted it, and once it has been idle. */
  state: z.enum(['ready', 'failed', 'off', 'unknown']),
  /** Why it is off. */
  offReason: z.string().nullable(),
  /** How it last failed or ended, on this process. */
  lastError: z.object({ at: instant, reason: z.string() }).nullable(),
  /** Its tools as approved. */
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  changes: z.array(changedTool),
  /** Changes that are shown once these are decided. */
  more: z.number().int(),
});
export type InstallationServer = z.infer<typeof installationServer>;

export const operatorServersAnswer = z.object({
  servers: z.array(installationServer),
  /** The file that names them; null where there is none. */
  file: z.string().nullable(),
});

export const checkAnswer = z.object({
  state: z.enum(['ready', 'starting', 'failed', 'off']),
  tools: z.number().int(),
  reason: z.string(),
});

export const toolDecisionBody = z.strictObject({
  tool: z.string().min(1).max(1_000),
  code: z.string().min(1).max(100),
  decision: z.enum(['approve', 'leave-off']),
  reason,
});
export type ToolDecision = z.infer<typeof toolDecisionBody>;

export const operatorServersCalls = calls(under('/api/admin/tool-servers', { who: 'operator' }), {
  list: get('', 'listOperatorServers', 'The tool servers of the installation, their tools, and which have changed.', {
    answer: operatorServersAnswer,
  }),
  check: post('/:server/check', 'checkOperatorServer', 'Contacts a tool server now.', {
    rate: 'toolServers',
    place: 'toolServers',
    answer: checkAnswer,
  }),
  decide: post('/:server/decisions', 'decideChangedTool', 'Approves a changed tool, or leaves it off.', {
    body: toolDecisionBody,
    fails: ['conflict'],
  }),
});
