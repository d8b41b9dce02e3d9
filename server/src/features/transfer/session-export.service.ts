import { setImmediate } from 'node:timers/promises';
import type { Task } from '@atelier/contract/runs';
import {
  SESSION_EXPORT_FORMAT,
  type SessionExportFormat,
  type Session as ShownSession,
} from '@atelier/contract/sessions';
import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { listTasks } from '../runs/runs.service.ts';
import { findFolderName } from '../sessions/folders.service.ts';
import { type SessionWithAgent, toSession } from '../sessions/sessions.service.ts';
import { sessionRows } from './own-rows.queries.ts';

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
  const seen = new Set<string>();
  const fresh = (tasks: Task[]) => tasks.filter(({ id }) => !seen.has(id) && seen.add(id));
  for (const cursor of places.toReversed()) {
    yield* fresh((await listTasks(ctx, session, { limit: PAGE, cursor })).tasks);
    await setImmediate();
  }
  yield* fresh(newest.tasks);
}

/** The beginning of a session's Markdown file. Times are in UTC. */
export function sessionHeading(session: ShownSession, folder: string | null, madeAt: Date): string {
  const lines = [
    `# ${oneLine(session.name)}`,
    '',
    `- Agent: ${oneLine(session.agentName)}${session.agentDeleted ? ' (deleted)' : ''}`,
    `- Started: ${utc(session.createdAt)}`,
    ...(folder === null ? [] : [`- Folder: ${oneLine(folder)}`]),
    `- Exported: ${utc(madeAt.toISOString())}`,
  ];
  return `${lines.join('\n')}\n`;
}

const ENDINGS: Partial<Record<Task['status'], string>> = {
  running: 'The answer was still being written.',
  waiting: 'The answer was waiting for a decision.',
  failed: 'The answer failed.',
  cancelled: 'The answer was stopped.',
  interrupted: 'The answer was interrupted.',
};

/** One exchange: the person's words as a quotation, so that nothing in them ends it, then the answer as it was written. */
export function exchangeText(task: Task, number: number): string {
  const parts = [
    `## ${number}. ${utc(task.timestamp)}`,
    '**You**',
    quoted(task.inputText),
    `**${oneLine(task.agentName)}**${task.model === '' ? '' : ` (${oneLine(task.model)})`}`,
  ];
  if (task.message.trim() !== '') parts.push(contained(task.message));
  const tools = [...new Set(task.toolCalls.map((call) => call.name))];
  if (tools.length > 0) parts.push(`*Tools: ${tools.map(oneLine).join(', ')}*`);
  const ending = task.error ?? ENDINGS[task.status];
  if (ending !== undefined) parts.push(`*${oneLine(ending)}*`);
  return `\n---\n\n${parts.join('\n\n')}\n`;
}

/** To the minute, as everyone reads it. */
const utc = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Text in a line of ours, where it must not format anything. */
const oneLine = (text: string) =>
  text
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|~&]/gu, '\\$&');

const quoted = (text: string) =>
  linesOf(text)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

const linesOf = (text: string) => text.replaceAll(/\r\n?/gu, '\n').split('\n');

const FENCE = /^ {0,3}(`{3,}|~{3,})/u;
/** HTML that would go on over blank lines, up to the end of the file: comments, scripts and the like. */
const OPEN_HTML = /^( {0,3})<(?=!|\?|script\b|pre\b|style\b|textarea\b)/iu;

/** An answer's Markdown that ends where the answer does: open code is closed, and HTML that runs on is shown as text. */
function contained(text: string): string {
  let fence: string | undefined;
  const lines = linesOf(text).map((line) => {
    const [beginning = '', marks = ''] = FENCE.exec(line) ?? [];
    const info = line.slice(beginning.length);
    if (fence !== undefined) {
      if (marks.startsWith(fence) && info.trim() === '') fence = undefined;
      return line;
    }
    // A code span may begin a line with three backticks; its info would hold another.
    if (marks !== '' && !(marks.startsWith('`') && info.includes('`'))) fence = marks;
    return fence === undefined ? line.replace(OPEN_HTML, '$1\\<') : line;
  });
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n').trimEnd();
}
