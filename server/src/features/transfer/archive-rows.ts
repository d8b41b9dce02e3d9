import { AGENT_LIMITS, UNNAMED_AGENT } from '@atelier/contract/agents';
import { ATTACHMENTS_MAX } from '@atelier/contract/attachments/attachments';
import { memoryItem } from '@atelier/contract/memory';
import { cleanName, fitName } from '@atelier/contract/names/names';
import { PROMPT_LIMITS, promptText } from '@atelier/contract/prompts';
import { MESSAGE_MAX, taskStatus, tokenUsage } from '@atelier/contract/runs';
import { SESSION_NAME_MAX } from '@atelier/contract/sessions';
import { FOLDER_LIMITS } from '@atelier/contract/sessions/folders';
import { toolCall } from '@atelier/contract/tools';
import { z } from 'zod';

const EARLIEST = Date.UTC(2000, 0, 1);

/** A time of the archive, never in the future: lists are in order of time, and what comes next must come after it. */
const time = z.iso.datetime().transform((text) => new Date(Math.max(EARLIEST, Math.min(Date.parse(text), Date.now()))));
const id = z.uuid();
const words = (max: number) => z.string().max(max);
/** Cleaned; one without anything visible is called `other`, because what it names comes along. */
const named = (max: number, other: string) =>
  words(max)
    .refine((name) => name.trim() !== '')
    .transform((name) => fitName(name, max, other));

/** Rows as an archive holds them. What a server decides, such as owner, counts and leases, is not among them. */
export const sessionRow = z.object({
  id,
  agentId: id,
  name: named(SESSION_NAME_MAX, 'Session'),
  nameSource: z.enum(['default', 'person', 'title']),
  // Archives of earlier versions have none of these.
  pinned: z.boolean().default(false),
  archived: z.boolean().default(false),
  folderId: id.nullable().default(null),
  createdAt: time,
  deletedAt: z.null(),
});

export const folderRow = z.object({ id, name: named(FOLDER_LIMITS.name, 'Folder') });

export const exchangeRow = z.object({
  id,
  agentId: id,
  sessionId: id,
  agentName: words(200).transform(cleanName),
  inputText: words(MESSAGE_MAX),
  message: words(2_000_000),
  status: taskStatus,
  model: words(200),
  memoryUsed: z.array(memoryItem).max(500),
  memoryPartial: z.boolean(),
  toolCalls: z.array(toolCall).max(500),
  tokenUsage: tokenUsage.nullable(),
  error: words(5_000).nullable(),
  retryOf: id.nullable(),
  without: z.array(id).max(50),
  createdAt: time,
  finishedAt: time.nullable(),
});

/** Where an exchange stands in its session's tree; a first one follows the session itself. */
export const branchRow = z.object({
  taskId: id,
  sessionId: id,
  parentId: id,
  originId: id.nullable(),
  onPath: z.boolean(),
  chosenAt: time,
  deletedAt: z.null(),
});

export const summaryRow = z
  .object({
    sessionId: id,
    text: words(50_000),
    kind: z.enum(['model', 'extractive']),
    until: time,
    exchanges: z.number().int().min(0).max(1_000_000),
  })
  .transform((row) => ({ ...row, id: row.sessionId }));

export const memoryRow = z.object({
  id,
  agentId: id,
  sessionId: id,
  taskId: id.nullable(),
  kind: z.enum(['person', 'agent']),
  speaker: words(200).transform(cleanName).nullable(),
  text: words(2_000).refine((text) => text !== ''),
  pinned: z.boolean(),
  originId: id.nullable(),
  createdAt: time,
  forgottenAt: z.null(),
});

export const factRow = z.object({
  id,
  agentId: id,
  memoryId: id,
  sentence: z.number().int().min(0).max(30_000).nullable(),
  text: words(300).refine((text) => text !== ''),
  about: words(300),
  pinned: z.boolean(),
  correctedAt: time.nullable(),
  forgottenAt: z.null(),
  replacedBy: id.nullable(),
  sameAs: id.nullable(),
  createdAt: time,
});

/** An exchange as far as it names attachments. */
export const attachingRow = exchangeRow.pick({ id: true, agentId: true }).extend({
  attachments: z.array(z.object({ id })).min(1).max(ATTACHMENTS_MAX),
});

/** What the ids of attachments here are made with. */
export const ATTACHMENT_IDS = 'a0b7f6b2-0c0e-4f6e-8a3e-5a4b1d9c7e31';

export const attachmentRow = z.object({ id, sessionId: id, name: words(300), deletedAt: z.null() });

export const fileRow = z.object({ id, agentId: id, name: words(300), deletedAt: z.null() });

export const promptRow = z.object({
  id,
  name: named(PROMPT_LIMITS.name, 'Prompt'),
  text: promptText,
  createdAt: time,
  updatedAt: time,
});

/** An agent that was deleted there, whose sessions are still there. */
export const deletedAgentRow = z.object({
  id,
  name: named(AGENT_LIMITS.name, UNNAMED_AGENT),
  slug: words(200).min(1),
  deletedAt: time,
});
