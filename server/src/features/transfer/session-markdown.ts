import type { Task } from '@atelier/contract/runs';
import type { Session } from '@atelier/contract/sessions';

/** The beginning of a session's Markdown file. Times are in UTC. */
export function sessionHeading(session: Session, folder: string | null, madeAt: Date): string {
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
