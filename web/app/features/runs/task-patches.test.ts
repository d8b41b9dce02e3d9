import type { Task } from '@atelier/contract/runs';
import { describe, expect, test } from 'vitest';
import {
  applyEvent,
  createEventBuffer,
  dropTask,
  findTask,
  inOrder,
  mergeFetched,
  newestPages,
  patchTasks,
  putTask,
  type RunEvent,
  type TaskPages,
  versionOf,
} from './task-patches.ts';
import { task } from './test-task.ts';

const delta = (seq: number, text: string, taskId = 't1'): RunEvent => ({
  type: 'delta',
  taskId,
  sessionId: 's1',
  seq,
  text,
});
const done = (over: Partial<Task> = {}): RunEvent => {
  const whole = task({ status: 'done', message: 'All of it', seq: 9, ...over });
  return { type: 'done', taskId: whole.id, sessionId: 's1', seq: whole.seq, task: whole };
};
const pages = (...tasks: Task[]): TaskPages => ({ pages: [{ tasks, nextCursor: null }], pageParams: [null] });

describe('applyEvent', () => {
  test('appends only the very next delta', () => {
    expect(applyEvent(task({ seq: 3, message: 'ab' }), delta(4, 'c'))).toMatchObject({ seq: 4, message: 'abc' });
    const stale = task({ seq: 3, message: 'ab' });
    expect(applyEvent(stale, delta(3, 'b'))).toBe(stale);
    expect(applyEvent(stale, delta(6, 'z'))).toBe('gap');
  });

  test('the end replaces the whole task and nothing is written after it', () => {
    const ended = applyEvent(task({ seq: 2, message: 'part' }), done());
    expect(ended).toMatchObject({ status: 'done', message: 'All of it' });
    expect(applyEvent(task({ status: 'cancelled', seq: 2, message: 'part' }), delta(3, 'more'))).toMatchObject({
      message: 'part',
    });
  });

  test('thoughts grow beside the answer, and a wait is over with whatever comes next', () => {
    const at = { taskId: 't1', sessionId: 's1' };
    const events: RunEvent[] = [
      { type: 'wait', ...at, seq: 1, why: 'The provider is busy.' },
      { type: 'thought', ...at, seq: 2, text: 'Hm. ' },
      { type: 'thought', ...at, seq: 3, text: 'Yes.' },
      delta(4, 'Hi.'),
    ];
    const states = events.reduce<(Task | 'gap')[]>(
      (all, event) => [...all, applyEvent(all.at(-1) as Task, event)],
      [task()],
    );
    expect(states.map((state) => state !== 'gap' && [state.wait, state.thoughts, state.message])).toEqual([
      [undefined, undefined, ''],
      ['The provider is busy.', undefined, ''],
      [undefined, 'Hm. ', ''],
      [undefined, 'Hm. Yes.', ''],
      [undefined, 'Hm. Yes.', 'Hi.'],
    ]);
  });

  test('a tool call takes the place of its earlier state', () => {
    const running: RunEvent = {
      type: 'tool',
      taskId: 't1',
      sessionId: 's1',
      seq: 1,
      call: { id: 'c1', name: 'calculator', state: 'running' },
    };
    const first = applyEvent(task(), running);
    if (first === 'gap') throw new Error('unexpected gap');
    const second = applyEvent(first, { ...running, seq: 2, call: { ...running.call, state: 'done' } });
    expect(second).toMatchObject({ seq: 2, toolCalls: [{ id: 'c1', state: 'done' }] });
  });
});

describe('patchTasks', () => {
  test('a gap asks for a fetch, and what came meanwhile is applied to the fetched task', () => {
    const buffer = createEventBuffer();
    const before = pages(task({ seq: 1, message: 'a' }));
    const gap = patchTasks(before, delta(3, 'c'), buffer);
    expect(gap.refetch).toBe(true);
    expect(patchTasks(gap.data, delta(4, 'd'), buffer).refetch).toBe(true);
    const merged = mergeFetched(gap.data, pages(task({ seq: 2, message: 'ab' })), buffer);
    expect(findTask(merged, 't1')).toMatchObject({ seq: 4, message: 'abcd' });
  });

  test('events out of order end up in order', () => {
    const buffer = createEventBuffer();
    const late = patchTasks(pages(task()), delta(2, 'b'), buffer);
    const whole = patchTasks(late.data, delta(1, 'a'), buffer);
    expect(whole.refetch).toBe(false);
    expect(findTask(whole.data, 't1')).toMatchObject({ seq: 2, message: 'ab' });
  });

  test('a run begun elsewhere asks for a fetch; one that ended elsewhere appears at the end', () => {
    const buffer = createEventBuffer();
    expect(patchTasks(pages(), delta(1, 'a', 'other'), buffer).refetch).toBe(true);
    const ended = patchTasks(pages(task({ status: 'done' })), done({ id: 't2' }), buffer);
    expect(inOrder(ended.data).map((t) => t.id)).toEqual(['t1', 't2']);
  });
});

describe('mergeFetched', () => {
  test('what a refetch finds unchanged stays the same object', () => {
    const shown = pages(task({ status: 'done' }), task({ id: 't2', status: 'done' }));
    const again = pages(task({ status: 'done' }), task({ id: 't2', status: 'done' }));
    expect(mergeFetched(shown, again, createEventBuffer())).toBe(shown);
    const changed = pages(task({ status: 'done' }), task({ id: 't2', status: 'done', retriedBy: 't3' }));
    const merged = mergeFetched(shown, changed, createEventBuffer());
    expect(findTask(merged, 't1')).toBe(findTask(shown, 't1'));
    expect(findTask(merged, 't2')?.retriedBy).toBe('t3');
  });

  test('a slow fetch takes nothing back', () => {
    const buffer = createEventBuffer();
    const shown = pages(task({ seq: 5, message: 'abcde' }));
    expect(findTask(mergeFetched(shown, pages(task({ seq: 2, message: 'ab' })), buffer), 't1')?.message).toBe('abcde');
    const ended = pages(task({ status: 'done', message: 'end', seq: 9 }));
    expect(findTask(mergeFetched(ended, pages(task({ seq: 2 })), buffer), 't1')?.status).toBe('done');
  });

  test('the end as it was announced does not hide what is known since', () => {
    const buffer = createEventBuffer();
    const ended = patchTasks(pages(task()), done(), buffer).data;
    const fetched = pages(task({ status: 'done', message: 'All of it', seq: 9, retriedBy: 't2' }));
    expect(findTask(mergeFetched(ended, fetched, buffer), 't1')?.retriedBy).toBe('t2');
  });

  test('a run that began during the fetch stays', () => {
    const shown = pages(task({ status: 'done' }), task({ id: 't2' }));
    const merged = mergeFetched(shown, pages(task({ status: 'done' })), createEventBuffer());
    expect(inOrder(merged).map((t) => t.id)).toEqual(['t1', 't2']);
  });

  test('older pages come before newer ones', () => {
    const data: TaskPages = {
      pages: [
        { tasks: [task({ id: 'c' })], nextCursor: 'x' },
        { tasks: [task({ id: 'a' }), task({ id: 'b' })], nextCursor: null },
      ],
      pageParams: [null, 'x'],
    };
    expect(inOrder(data).map((t) => t.id)).toEqual(['a', 'b', 'c']);
  });
});

test('putTask neither repeats a task nor winds it back', () => {
  const shown = pages(task({ seq: 4, message: 'abcd' }));
  const put = putTask(shown, task());
  expect(inOrder(put)).toHaveLength(1);
  expect(findTask(put, 't1')?.message).toBe('abcd');
});

test('the buffer forgets the oldest runs', () => {
  const buffer = createEventBuffer();
  for (let i = 0; i < 40; i++) buffer.hold(delta(1, 'a', `t${i}`));
  expect(buffer.catchUp(task({ id: 't0' })).task.message).toBe('');
  expect(buffer.catchUp(task({ id: 't39' })).task.message).toBe('a');
});

describe('newestPages', () => {
  const page = (id: string, nextCursor: string | null) => ({ tasks: [task({ id })], nextCursor });
  const data: TaskPages = {
    pages: [page('t3', 'c2'), page('t2', 'c1'), page('t1', null)],
    pageParams: ['', 'c2', 'c1'],
  };

  test('keeps the newest, from where the older ones can be fetched again', () => {
    const kept = newestPages(data, 2);
    expect(inOrder(kept).map(({ id }) => id)).toEqual(['t2', 't3']);
    expect(kept.pageParams).toEqual(['', 'c2']);
    expect(kept.pages.at(-1)?.nextCursor).toBe('c1');
    expect(newestPages(data, 3)).toBe(data);
  });
});

test('a task that takes the place of another ends the path after the one that both follow', () => {
  const path = pages(
    task({ id: 'a', parentId: null }),
    task({ id: 'b', parentId: 'a' }),
    task({ id: 'c', parentId: 'b' }),
  );
  const ids = (data: TaskPages) => inOrder(data).map(({ id }) => id);
  expect(ids(putTask(path, task({ id: 'b2', parentId: 'a' })))).toEqual(['a', 'b2']);
  expect(ids(putTask(path, task({ id: 'a2', parentId: null })))).toEqual(['a2']);
  expect(ids(putTask(path, task({ id: 'd', parentId: 'c' })))).toEqual(['a', 'b', 'c', 'd']);
  expect(ids(dropTask(path, 'b'))).toEqual(['a', 'c']);
});

test('a task is found by each version of its message, and a deleted one by none', () => {
  const path = [task({ id: 'a', siblings: ['a'] }), task({ id: 'b2', parentId: 'a', siblings: ['b', 'b2'] })];
  expect(['a', 'b', 'b2', 'gone'].map((id) => versionOf(path, id)?.id)).toEqual(['a', 'b2', 'b2', undefined]);
});
