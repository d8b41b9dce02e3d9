import type { LiveEvents } from '@atelier/contract/live';
import { isInFlight, type SessionSummary, type Task } from '@atelier/contract/runs';
import { replaceEqualDeep } from '@tanstack/react-query';

/** The events of one run on the shared live stream. */
export type RunEvent = { [K in RunEventName]: { type: K } & LiveEvents[K] }[RunEventName];
type RunEventName = Exclude<keyof LiveEvents, 'hello' | 'changed'>;

export interface TaskPage {
  tasks: Task[];
  nextCursor: string | null;
  /** The summary that replaces the beginning for the model; the same on every page of one fetch. */
  summary?: SessionSummary | null;
}

/** A session in the query cache: pages from the newest to the oldest, each ascending. */
export interface TaskPages {
  pages: TaskPage[];
  pageParams: unknown[];
}

const HELD_TASKS = 20;
const HELD_EVENTS = 400;

/** True while more of this task's answer may come. */
export const isUnderWay = (task: Pick<Task, 'status'>) => isInFlight(task.status);

/** Applies one event, or returns `gap` when events before it are missing. Old events change nothing. */
export function applyEvent(task: Task, event: RunEvent): Task | 'gap' {
  // A buffered end is older than data fetched after it, which may include a retry.
  if (!isUnderWay(task)) return task;
  if (event.type === 'done') return event.task;
  if (event.seq <= task.seq) return task;
  if (event.seq !== task.seq + 1) return 'gap';
  // A wait is over with whatever comes after it.
  const next: Task = { ...task, seq: event.seq, wait: undefined };
  if (event.type === 'wait') return { ...next, wait: event.why };
  if (event.type === 'delta') return { ...next, message: task.message + event.text };
  if (event.type === 'thought') return { ...next, thoughts: (task.thoughts ?? '') + event.text };
  if (event.type === 'memory') return { ...next, memoryUsed: event.items, memoryPartial: event.partial };
  const isShown = task.toolCalls.some((call) => call.id === event.call.id);
  const toolCalls = isShown
    ? task.toolCalls.map((call) => (call.id === event.call.id ? event.call : call))
    : [...task.toolCalls, event.call];
  const status = toolCalls.some((call) => call.state === 'waiting') ? 'waiting' : 'running';
  return { ...next, toolCalls, status };
}

type EventBuffer = ReturnType<typeof createEventBuffer>;

/** Recent events by task, so that events during a fetch are not lost; bounded in tasks and in events per task. */
export function createEventBuffer() {
  const waiting = new Map<string, RunEvent[]>();
  return {
    hold(event: RunEvent): void {
      const events = [...(waiting.get(event.taskId) ?? []), event].sort((a, b) => a.seq - b.seq).slice(-HELD_EVENTS);
      waiting.delete(event.taskId);
      waiting.set(event.taskId, event.type === 'done' ? [event] : events);
      const oldest = waiting.keys().next();
      if (waiting.size > HELD_TASKS && !oldest.done) waiting.delete(oldest.value);
    },
    /** Applies buffered events that follow; `gap` means that some are missing. */
    catchUp(task: Task): { task: Task; gap: boolean } {
      let current = task;
      for (const event of waiting.get(task.id) ?? []) {
        const next = applyEvent(current, event);
        if (next === 'gap') return { task: current, gap: true };
        current = next;
      }
      return { task: current, gap: false };
    },
  };
}

function replaceTask(data: TaskPages, next: Task): TaskPages {
  const pages = data.pages.map((page) =>
    page.tasks.some((t) => t.id === next.id)
      ? { ...page, tasks: page.tasks.map((t) => (t.id === next.id ? next : t)) }
      : page,
  );
  return { ...data, pages };
}

/** Puts a task in its place: over its older version, or after the one that it follows, where the path ends from now on. */
export function putTask(data: TaskPages, next: Task): TaskPages {
  const current = findTask(data, next.id);
  if (current) return replaceTask(data, newer(current, next));
  const [newest, ...older] = pathUntil(data, next.parentId).pages;
  return {
    ...data,
    pages: [{ nextCursor: null, ...newest, tasks: [...(newest?.tasks ?? []), next] }, ...older],
  };
}

/** The path as far as a task, without what came after it; the whole path if that task is not loaded. */
function pathUntil(data: TaskPages, id: string | null): TaskPages {
  if (id !== null && findTask(data, id) === undefined) return data;
  const isAfter = (task: Task) => (id === null ? true : order.indexOf(task.id) > order.indexOf(id));
  const order = inOrder(data).map((task) => task.id);
  return { ...data, pages: data.pages.map((page) => ({ ...page, tasks: page.tasks.filter((t) => !isAfter(t)) })) };
}

/** The path without one exchange; what followed it stays. */
export const dropTask = (data: TaskPages, id: string): TaskPages => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, tasks: page.tasks.filter((task) => task.id !== id) })),
});

/** The task with this id, on any page. */
export function findTask(data: TaskPages, id: string): Task | undefined {
  return data.pages.flatMap((page) => page.tasks).find((t) => t.id === id);
}

/** The task in the place of this one: itself, or another version of its message. */
export const versionOf = (tasks: readonly Task[], id: string): Task | undefined =>
  tasks.find((task) => task.id === id || task.siblings.includes(id));

/** Every loaded task, oldest first. */
export const inOrder = (data: TaskPages): Task[] => data.pages.toReversed().flatMap((page) => page.tasks);

/** Only the newest pages; older ones are fetched again when needed. */
export const newestPages = (data: TaskPages, count: number): TaskPages =>
  data.pages.length <= count
    ? data
    : { pages: data.pages.slice(0, count), pageParams: data.pageParams.slice(0, count) };

/** Applies a live event to the cache; `refetch` is called when events are missing. */
export function patchTasks(
  data: TaskPages,
  event: RunEvent,
  buffer: EventBuffer,
): { data: TaskPages; refetch: boolean } {
  buffer.hold(event);
  const current = findTask(data, event.taskId);
  if (!current)
    return event.type === 'done' ? { data: putTask(data, event.task), refetch: false } : { data, refetch: true };
  const { task, gap } = buffer.catchUp(current);
  return { data: task === current ? data : replaceTask(data, task), refetch: gap };
}

/** The later of two states of one task: an end is never undone, and text never shrinks while it runs. */
function newer(old: Task, next: Task): Task {
  if (!isUnderWay(next)) return next;
  if (!isUnderWay(old)) return old;
  return old.seq > next.seq ? old : next;
}

/** The cache after a fetch: the fetched tasks, but never behind what live events showed, and with a run that started during the fetch. */
export function mergeFetched(old: TaskPages | undefined, fetched: TaskPages, buffer: EventBuffer): TaskPages {
  const oldById = new Map(old ? inOrder(old).map((t) => [t.id, t]) : []);
  const pages = fetched.pages.map((page) => ({
    ...page,
    tasks: page.tasks.map((next) => {
      const before = oldById.get(next.id);
      oldById.delete(next.id);
      return buffer.catchUp(before ? newer(before, next) : next).task;
    }),
  }));
  const missed = [...oldById.values()].filter(isUnderWay);
  pages[0]?.tasks.push(...missed);
  // What has not changed stays the same object, so nothing is rendered again for it.
  return replaceEqualDeep(old, { ...fetched, pages });
}
