import { setImmediate } from 'node:timers/promises';
import type { Task } from '@atelier/contract/runs';
import { SESSION_EXPORT_FORMAT, type SessionExportFormat } from '@atelier/contract/sessions';
import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { listTasks } from '../runs/runs.service.ts';
import { findFolderName } from '../sessions/folders.service.ts';
import { type SessionWithAgent, toSession } from '../sessions/sessions.service.ts';
import { sessionRows } from './own-rows.queries.ts';
import { exchangeText, sessionHeading } from './session-markdown.ts';

type Session = Authorized<SessionWithAgent>;

/** Exchanges that are in memory at once. */
const PAGE = 100;
const encoder = new TextEncoder();

/** One session as a file, written while it is sent. Stops, and logs why, when the database fails. */
export async function* exportSession(ctx: Deps, session: Session, format: SessionExportFormat) {
  try {
    const texts = format === 'md' ? asMarkdown(ctx, session) : asJson(ctx, session);
    for await (const text of texts) yield encoder.encode(text);
  } catch (error) {
    ctx.log.error('own-data.export-session', error);
    throw error;
  }
}

async function* asMarkdown(ctx: Deps, session: Session) {
  const folder = await findFolderName(ctx.db, session.userId, session.folderId);
  yield sessionHeading(toSession(session), folder, new Date());
  let number = 0;
  for await (const task of exchangesOf(ctx, session)) {
    number += 1;
    yield exchangeText(task, number);
  }
  if (number === 0) yield '\nNo messages yet.\n';
}

async function* asJson(ctx: Deps, session: Session) {
  const about = {
    format: SESSION_EXPORT_FORMAT,
    version: 1,
    exportedAt: new Date().toISOString(),
    session: toSession(session),
    folder: await findFolderName(ctx.db, session.userId, session.folderId),
  };
  yield JSON.stringify(about, null, 2).slice(0, -2);
  yield* list('exchanges', exchangesOf(ctx, session));
  for (const { name, rows } of sessionRows(ctx.db, session.userId, session.id)) yield* list(name, rows);
  yield '\n}\n';
}

async function* list(name: string, rows: AsyncIterable<object>) {
  let before = `,\n  ${JSON.stringify(name)}: [\n`;
  for await (const row of rows) {
    yield before + JSON.stringify(row);
    before = ',\n';
  }
  yield before === ',\n' ? '\n  ]' : `${before.trimEnd()}]`;
}

/**
 * The session's exchanges as its page shows them, oldest first. Pages come from the end, so a first walk only remembers where each begins; what
 * is said meanwhile is left out.
 */
async function* exchangesOf(ctx: Deps, session: Session): AsyncGenerator<Task> {
  const newest = await listTasks(ctx, session, { limit: PAGE });
  const places: string[] = [];
  for (let cursor = newest.nextCursor; cursor !== null; ) {
    places.push(cursor);
    cursor = (await listTasks(ctx, session, { limit: PAGE, cursor })).nextCursor;
    // The embedded database never yields the thread by itself; others wait for it too.
    await setImmediate();
  }
  // A page reaches back further when something in it was deleted since; the page before has had that already.
  const given = new Set<string>();
  const fresh = (tasks: Task[]) => tasks.filter(({ id }) => !given.has(id) && given.add(id));
  for (const cursor of places.toReversed()) {
    yield* fresh((await listTasks(ctx, session, { limit: PAGE, cursor })).tasks);
    await setImmediate();
  }
  yield* fresh(newest.tasks);
}
