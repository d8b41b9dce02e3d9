import { z } from 'zod';
import { attachment, attachmentIds } from './attachments/attachments.ts';
import { type CallOptions, calls, create, download, events, get, ONCE, post, put } from './calls.ts';
import { instant, pageQuery, uuid } from './ids.ts';
import { memoryItem } from './memory.ts';
import { plainText } from './names/plain-text.ts';
import { sessionAnswer } from './sessions.ts';
import { approval, toolAnswer, toolCall, toolLeftOut } from './tools.ts';

export const MESSAGE_MAX = 32_000;

/** The statuses of a task that still runs. */
export const IN_FLIGHT = ['running', 'waiting'] as const;
type InFlight = (typeof IN_FLIGHT)[number];
export const taskStatus = z.enum([...IN_FLIGHT, 'done', 'failed', 'cancelled', 'interrupted']);
export type TaskStatus = z.infer<typeof taskStatus>;
export type EndStatus = Exclude<TaskStatus, InFlight>;

export const isInFlight = (status: TaskStatus): status is InFlight => IN_FLIGHT.some((one) => one === status);

const NEEDS_TEXT = 'A message needs some text.';
const typedText = plainText(MESSAGE_MAX, 'The message');
/** What a person writes. */
export const inputText = typedText.refine((s) => s.trim() !== '', NEEDS_TEXT);
/** A message with what goes along; attachments alone are sent with a sentence that names them. */
const words = {
  inputText: typedText,
  /** What was uploaded for this message; for Pro. */
  attachmentIds: attachmentIds.optional(),
};
const hasContent = ({
  inputText: text,
  attachmentIds: ids = [],
}: {
  inputText: string;
  attachmentIds?: string[] | undefined;
}) => text.trim() !== '' || ids.length > 0;
const noContent = { path: ['inputText'], message: NEEDS_TEXT };

/** Other words for a message that was sent. */
export const taskEdit = z.strictObject({ inputText });

/** The same message once more, answered by another model if one is named. */
export const regenerate = z.strictObject({ model: z.string().min(1).max(200).optional() });

/** Asks the same question again without these memories. */
export const askAgain = z.strictObject({ without: z.array(uuid).min(1).max(50) });

export const taskCreate = z
  .strictObject({
    agentId: z.string().min(1).max(200),
    ...words,
    /** A message that meets a running answer waits for its end, instead of being refused. */
    whenBusy: z.literal('queue').optional(),
  })
  .refine(hasContent, noContent);
export type TaskCreate = z.infer<typeof taskCreate>;

/** A message without its agent: the session's own answers. */
export const messageCreate = z.strictObject(words).refine(hasContent, noContent);

/** The specification's callable. `userId` must be the caller's own. */
export const runAgentTask = z.strictObject({
  userId: z.string().max(200).optional(),
  sessionId: uuid,
  agentId: z.string().min(1).max(200),
  inputText,
});

export const tokenUsage = z.object({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** True when the figures are our estimate instead of the provider's count. */
  estimated: z.boolean(),
  /** How many milliseconds the model thought, where it tells its thoughts. */
  thoughtMs: z.number().int().optional(),
  /** True when the model refused the conversation as too long, and answered with less of it. */
  shortened: z.boolean().optional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

/** One exchange: what the person wrote and what the agent answered. */
export const task = z.object({
  id: z.string(),
  sessionId: z.string(),
  /** The exchange before it; null at the start of a session. */
  parentId: z.string().nullable(),
  /** The exchanges that follow the same one, oldest first, with this one among them. One of them is on the session's path. */
  siblings: z.array(z.string()),
  timestamp: instant,
  agentName: z.string(),
  inputText: z.string(),
  /** Pictures and files of the message. */
  attachments: z.array(attachment).optional(),
  /** The answer; while the task runs, the text so far. */
  message: z.string(),
  /** Sequence number of the last event included in `message`; followers continue after it. */
  seq: z.number().int(),
  status: taskStatus,
  /** Which model answered; `offline` for the built-in one. */
  model: z.string(),
  memoryUsed: z.array(memoryItem),
  /** True when only the newest memories were searched, because older ones were still loading. */
  memoryPartial: z.boolean().optional(),
  toolCalls: z.array(toolCall),
  /** What the model thought before it answered, where it tells. Never remembered, never sent back to it. */
  thoughts: z.string().optional(),
  /** Why the answer ended before its time: the model's length limit, or the provider's content filter. */
  cut: z.enum(['length', 'filter']).optional(),
  /** While the task runs: why it waits, in a sentence. */
  wait: z.string().optional(),
  /** Tools of the agent that the model was not offered directly; those without room can be searched by it. */
  toolsLeftOut: z.array(toolLeftOut).optional(),
  usage: tokenUsage.nullable(),
  /** For `failed` and `interrupted`: the whole sentence to show. */
  error: z.string().optional(),
  retryOf: z.string().optional(),
  /** How many memories were left out, if this asks an earlier message again. */
  without: z.number().int().optional(),
  /** The newer task that retried this one, if there is one. */
  retriedBy: z.string().optional(),
});
export type Task = z.infer<typeof task>;

/** What a model gets instead of the words of a long session's beginning. */
export const sessionSummary = z.object({
  text: z.string(),
  /** `extractive`: sentences of the conversation itself, chosen without a model. */
  kind: z.enum(['model', 'extractive']),
  /** How many exchanges it covers, the last of them at `until`. */
  exchanges: z.number().int(),
  until: instant,
});
export type SessionSummary = z.infer<typeof sessionSummary>;

/**
 * A message that waits for the running answer to end. `waiting`: it is sent by itself. `paused`: it waits for the person, `reason` says
 * why. `sending`: it is being sent. `sent` and `removed` answer a repeated request only.
 */
export const queuedMessage = z.object({
  id: z.string(),
  sessionId: z.string(),
  inputText: z.string(),
  /** Pictures and files of the message. */
  attachments: z.array(attachment).optional(),
  createdAt: instant,
  state: z.enum(['waiting', 'paused', 'sending', 'sent', 'removed']),
  reason: z.string().optional(),
});
export type QueuedMessage = z.infer<typeof queuedMessage>;

export const taskAnswer = z.object({ task });
export const queuedAnswer = z.object({ queued: queuedMessage });
/** The task that began; `queued` only for a message that said `whenBusy`. */
export const startAnswer = z.union([taskAnswer, queuedAnswer]);
/** `POST /api/runAgentTask`: the finished task, and what was recalled for it, a line each. */
export const runAgentTaskAnswer = z.object({ task, memoryUsed: z.string() });
/** The chosen path, ascending by timestamp, paged from the end: `nextCursor` leads to older tasks. */
export const tasksAnswer = z.object({
  tasks: z.array(task),
  nextCursor: z.string().nullable(),
  summary: sessionSummary.nullable(),
});

/** The events of one task, in order of `seq`; `done` is always last and has the whole task. */
export const taskEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('memory'),
    seq: z.number().int(),
    items: z.array(memoryItem),
    partial: z.boolean().optional(),
  }),
  z.object({ type: z.literal('delta'), seq: z.number().int(), text: z.string() }),
  z.object({ type: z.literal('thought'), seq: z.number().int(), text: z.string() }),
  /** The provider is busy and asked again; over with the next event. */
  z.object({ type: z.literal('wait'), seq: z.number().int(), why: z.string() }),
  z.object({ type: z.literal('tool'), seq: z.number().int(), call: toolCall }),
  z.object({ type: z.literal('done'), seq: z.number().int(), task }),
]);
export type TaskEvent = z.infer<typeof taskEvent>;

/** Of a call that begins an answer. */
const BEGUN = {
  rate: 'messages',
  status: 202,
  fails: ['limit_reached', 'conflict'],
  mayStream: true,
} satisfies CallOptions;
/** Of a call that sends a message. */
const SENT = { ...BEGUN, headers: ONCE };

export const taskCalls = calls('/api/sessions/:sessionId/tasks', {
  list: get('', 'listTasks', 'The exchanges on a session’s chosen path.', { query: pageQuery, answer: tasksAnswer }),
  start: post('', 'startTask', 'Sends a message; the answer is followed.', {
    ...SENT,
    body: taskCreate,
    answer: startAnswer,
    fails: ['limit_reached', 'pro_required', 'conflict'],
    description:
      'While an answer is running, 409; with `whenBusy: "queue"` the message is put behind it, and `queued` answered. ' +
      'With `Accept: text/event-stream`, as for each call that begins an answer: first `task`, then its events.',
  }),
  get: get('/:taskId', 'getTask', 'One exchange.', { answer: taskAnswer }),
  cancel: post('/:taskId/cancel', 'cancelTask', 'Stops an answer.', { status: 202, answer: taskAnswer }),
  retry: post('/:taskId/retry', 'retryTask', 'Asks again after a failure.', { ...BEGUN, answer: taskAnswer }),
  askAgain: post('/:taskId/ask-again', 'askAgain', 'Asks again without some memories.', {
    ...SENT,
    body: askAgain,
    answer: taskAnswer,
  }),
  follow: get('/:taskId/events', 'followTask', 'An answer as it is written.', {
    answer: events,
    headers: { 'Last-Event-ID': 'The number of the last event you have; the stream continues after it.' },
    mayBeEmpty: 204,
    description:
      'Events: `memory`, `delta`, `thought`, `tool`, `wait`, and last `done` with the whole task. 204 once you have seen its end.',
  }),
  edit: post('/:taskId/edit', 'editTask', 'Sends other words in place of a message; both stay, as siblings.', {
    ...SENT,
    body: taskEdit,
    answer: taskAnswer,
  }),
  regenerate: post(
    '/:taskId/regenerate',
    'regenerateTask',
    'Has a message answered again; both answers stay, as siblings.',
    { ...SENT, body: regenerate, answer: taskAnswer },
  ),
  choose: put('/:taskId/choose', 'chooseTask', 'Makes the path through an exchange the chosen one.', {
    answer: taskAnswer,
    fails: ['conflict'],
  }),
  restore: post('/:taskId/restore', 'restoreTask', 'Takes the deletion of an exchange back.', { answer: taskAnswer }),
  continue: create(
    '/:taskId/continue',
    'continueInNewSession',
    'Opens a new session with a copy of everything up to an exchange.',
    { answer: sessionAnswer, fails: ['limit_reached', 'conflict'] },
  ),
  approve: post('/:taskId/approve', 'approveCall', 'Decides about a tool call.', {
    who: 'pro',
    status: 202,
    body: approval,
    answer: taskAnswer,
    fails: ['conflict'],
  }),
  answer: post('/:taskId/answer', 'answerToolServer', 'Answers what a tool’s server asks.', {
    who: 'pro',
    status: 202,
    body: toolAnswer,
    answer: taskAnswer,
    fails: ['conflict'],
  }),
  media: get('/:taskId/media/:mediaId', 'getToolMedia', 'A picture, a sound or a file that a tool answered.', {
    answer: download,
  }),
});

export const runAgentTaskCalls = calls('/api/runAgentTask', {
  run: post('', 'runAgentTask', 'Sends a message and waits for the answer.', {
    rate: 'messages',
    body: runAgentTask,
    answer: runAgentTaskAnswer,
    headers: ONCE,
    fails: ['limit_reached', 'not_found', 'conflict', 'provider_failed'],
  }),
});
