import type { ChatCompletion, Receipt } from '@atelier/contract/endpoints/openai';
import type { Task, TaskEvent } from '@atelier/contract/runs';
import { type Caller, mayByKey } from '../../access.ts';
import { checked } from './ask.service.ts';

/** Seconds since 1970, as OpenAI counts. */
export const secondsOf = (instant: string | Date) => Math.floor(new Date(instant).getTime() / 1000);

/** What the agent used. The words of memories are for keys that may read. */
export const receiptOf = (caller: Caller, task: Task): Receipt => ({
  session_id: task.sessionId,
  task_id: task.id,
  memory_used: mayByKey(caller, 'read') ? task.memoryUsed : [],
  tool_calls: mayByKey(caller, 'read') ? task.toolCalls : [],
});

const usageOf = ({ usage }: Task): ChatCompletion['usage'] => ({
  prompt_tokens: usage?.inputTokens ?? 0,
  completion_tokens: usage?.outputTokens ?? 0,
  total_tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
});

type Finish = ChatCompletion['choices'][number]['finish_reason'];
/** Why the model stopped, in OpenAI's words. */
const finishOf = ({ cut }: Task): Finish =>
  cut === undefined ? 'stop' : cut === 'length' ? 'length' : 'content_filter';

const headOf = (task: Task, model: string) => ({
  id: `chatcmpl-${task.id}`,
  created: secondsOf(task.timestamp),
  model,
});

/** A whole answer. One that the person stopped is what there is of it. */
export const toCompletion = (caller: Caller, task: Task, model: string): ChatCompletion => ({
  ...headOf(task, model),
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: task.message, refusal: null },
      logprobs: null,
      finish_reason: finishOf(task),
    },
  ],
  usage: usageOf(task),
  atelier: receiptOf(caller, task),
});

/** The pieces of a streamed answer, in order; throws when it fails. */
export async function* toChunks(
  caller: Caller,
  { task, events }: { task: Task; events: AsyncIterable<TaskEvent> },
  { model, withUsage }: { model: string; withUsage: boolean },
): AsyncGenerator<object> {
  const head = { ...headOf(task, model), object: 'chat.completion.chunk' };
  const chunk = (delta: object, finish: Finish | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(withUsage ? { usage: null } : {}),
  });
  yield chunk({ role: 'assistant', content: '', refusal: null });
  for await (const event of events) {
    if (event.type === 'delta') yield chunk({ content: event.text });
    // Clients pass over it; a program that looks can send its person to the session.
    if (event.type === 'tool' && event.call.state === 'waiting') {
      yield { ...chunk({}), atelier: { waiting: true, session_id: task.sessionId, task_id: task.id } };
    }
    if (event.type !== 'done') continue;
    const ended = checked(event.task);
    yield { ...chunk({}, finishOf(ended)), atelier: receiptOf(caller, ended) };
    if (withUsage) yield { ...head, choices: [], usage: usageOf(ended) };
  }
}
